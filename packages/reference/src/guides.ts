/** The guides, in the order in which they are listed: the name in addresses and in docs/, and the title. */
export const guides: readonly { readonly name: string; readonly title: string }[] = [
  { name: 'signing', title: 'Signing a request' },
  { name: 'oauth', title: 'Acting for owners (OAuth)' },
  { name: 'forwarding', title: 'Receiving events' },
  { name: 'destinations', title: 'Destinations of events' },
  { name: 'collector-protocol', title: 'The collector protocol' },
];
