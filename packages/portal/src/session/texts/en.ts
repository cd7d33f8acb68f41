const en = {
  title: 'Sign in',
  lead: 'See what your roof does now, and what it earned.',
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Show password',
  submit: 'Sign in',
  wrong: 'The e-mail or the password is wrong.',
  throttled: 'Too many attempts. Please wait half a minute before the next one.',
  away: 'The server does not answer. Please try again in a moment.',
  demo: 'Look around in the demo',
  demoLead: 'This is a demonstration with simulated plants. Nothing here switches anything.',
  ended: 'Please sign in again',
  endedLead: 'Your session has ended. The page stays as it is; nothing that you entered is lost.',
};
export type Texts = typeof en;
export default en;
