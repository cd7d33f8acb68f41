/** The id of an operation's section on the page. */
export const anchorOf = (operationId: string): string => operationId.replaceAll('/', '-');
