/** How literally a request must follow the specification (interface S13 to S15, S26). */
export type SignatureProfile = 'compatible' | 'strict';
