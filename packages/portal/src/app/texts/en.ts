const en = {
  navigation: {
    label: 'Main',
    overview: 'Overview',
    alarms: 'Alarms',
    access: 'Access',
    account: 'Account',
  },
  skip: 'Skip to the content',
  home: 'Helioport, to the overview',
  menu: 'Account and settings',
  signedInAs: 'Signed in as',
  language: 'Language',
  look: 'Look',
  auto: 'As the device',
  light: 'Light',
  dark: 'Dark',
  signOut: 'Sign out',
  signIn: 'Sign in',
  unreachable: 'No connection to the server. What you see may be out of date; it is tried again and again.',
  back: 'Connected again.',
  notFound: 'There is no such page',
  notFoundLead: 'Perhaps it was moved, or the address has a slip of the pen.',
  toOverview: 'To the overview',
  broken: 'Something went wrong on this page',
  reload: 'Load the page again',
};
export type Texts = typeof en;
export default en;
