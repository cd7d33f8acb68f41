const en = {
  navigation: {
    label: 'Main',
    overview: 'Overview',
    alarms: 'Alarms',
    access: 'Access',
    settings: 'Settings',
    installation: 'Installation',
    health: 'Health',
    accounts: 'Accounts',
    collectors: 'Collectors',
    applications: 'Apps',
    trail: 'Audit log',
    developers: 'Developers',
    account: 'Account',
  },
  support: {
    label: 'Help by operators',
    looking: (email: string, until: string) =>
      `You are seeing the portal as ${email} does, until ${until}. You can change nothing, and what you look at is recorded.`,
    allowed: (until: string) =>
      `Operators of this service may look at your own plants, until ${until}.`,
    end: 'End',
  },
  skip: 'Skip to the content',
  notKept: 'This page cannot be shown without a connection',
  keptOverview: 'Show the last known overview',
  home: 'Helioport, to the overview',
  menu: 'Account and settings',
  account: 'Account and Security',
  preferences: 'Language and appearance',
  signedInAs: 'Signed in as',
  newPlant: 'New plant',
  invitations: 'Invitations',
  invited: (count: number) =>
    count === 1
      ? 'An invitation is waiting for your answer.'
      : `${count} invitations are waiting for your answer.`,
  toInvitations: 'See and answer',
  service: 'Service',
  keys: 'API Management',
  developer: 'For developers',
  signOut: 'Sign out',
  signIn: 'Sign in',
  unreachable: 'No connection to the server. What you see may be out of date; we keep trying.',
  back: 'Connected again.',
  notFound: 'Page not found',
  notFoundLead: 'Perhaps it was moved, or there is a typo in the address.',
  toOverview: 'To the overview',
  broken: 'Something went wrong on this page',
  reload: 'Load the page again',
};
export type Texts = typeof en;
export default en;
