const en = {
  title: 'Company',
  lead: 'Several people, one fleet: everybody in a company sees its plants, with an account of their own. You can belong to one company.',
  found: 'Create a company',
  name: 'Name of the company',
  foundNow: 'Create the company',
  offers: 'You are invited',
  until: (time: string) => `open until ${time}`,
  people: 'People',
  you: 'you',
  roles: { manager: 'Manager', member: 'Member' },
  makeManager: 'Make manager',
  makeMember: 'Make member',
  remove: 'Remove',
  removeTitle: (who: string) => `Remove ${who}?`,
  removeLead:
    'Access through the company ends at once: keys and sessions of this person no longer reach its plants. Access of their own stays.',
  removed: (who: string) => `${who} is no longer in the company.`,
  invite: 'Invite',
  email: 'E-mail address',
  role: 'Role',
  roleLead:
    'Members see the plants of the company, and control those that it may control. Managers also invite and remove people, give up plants, and can rename or dissolve the company.',
  invited: (email: string) =>
    `${email} has been invited. Once signed in, they find the invitation in their account menu, under “Invitations”.`,
  withdraw: 'Withdraw',
  withdrawTitle: (email: string) => `Withdraw the invitation to ${email}?`,
  withdrawLead: 'It can no longer be accepted then. You can invite again.',
  withdrawn: (email: string) => `The invitation to ${email} has been withdrawn.`,
  plants: 'Plants of the company',
  plantsLead:
    'Customers’ plants are added when their owner invites one of you and that person accepts for the company. Anyone who already has access of their own to a plant can bring it in here.',
  noPlants: 'None yet.',
  mayInstall: 'can view, control and set up',
  mayControl: 'can view and control',
  maySee: 'can view',
  installer: 'is its installer',
  end: 'Give up',
  endTitle: 'Give up this plant?',
  endLead:
    'You and everybody else in the company lose this plant, except those with access of their own. Whoever brought it in has none any more. It only comes back if its owner invites one of you again.',
  endLeadOwn:
    'The other people in the company no longer see it, unless they have access of their own. It stays yours, and you can share it with the company again.',
  ended: (plant: string) => `The company no longer has ${plant}.`,
  bringTitle: 'Plants shared with you, not with the company',
  bringLead: 'If you bring them in, everybody in the company has the access that you have now.',
  bringAll: 'All of them',
  bring: (count: string) => `Add selected (${count})`,
  bringAsk: (count: number, shown: string) =>
    count === 1 ? 'Bring this plant into the company?' : `Bring ${shown} plants into the company?`,
  bringGives: (company: string, count: number) =>
    count === 1
      ? `Everybody in ${company} may then do with it what you may now. Nothing changes for you while you belong to the company. Its owner sees the company among those who have access, and can end that.`
      : `Everybody in ${company} may then do with them what you may now. Nothing changes for you while you belong to the company. Their owners see the company among those who have access, and can end that.`,
  bringWayBack:
    'Should you leave the company, or should it give a plant up, you no longer have it. The way back: its owner invites you again.',
  brought: (count: number, shown: string) =>
    count === 1 ? 'The company has this plant now.' : `The company has these ${shown} plants now.`,
  give: (count: string) => `Share all my plants (${count})`,
  giveNow: 'Share these plants',
  giveLead:
    'Everybody in the company then sees and controls them. They stay yours. Single plants are shared in their settings, under People.',
  andMore: (names: string, more: string) => `${names} and ${more} more`,
  giving: (left: string) => `${left} to go`,
  given: (count: number, shown: string) =>
    `The company has the ${count === 1 ? '1 plant' : `${shown} plants`} that you own. Plants of customers come when their owner invites one of you.`,
  previous: 'Previous',
  next: 'Next',
  page: (page: string, pages: string) => `Page ${page} of ${pages}`,
  settings: 'Settings of the company',
  rename: 'Rename',
  renamed: 'Saved.',
  logo: 'Logo',
  logoLead:
    'Printed on reports about plants whose installer is the company. Everybody who may see such a plant sees it. PNG or JPEG; large pictures are made smaller.',
  chooseLogo: 'Choose a logo',
  removeLogo: 'Remove the logo',
  logoOf: (name: string) => `Logo of ${name}`,
  noPicture: 'This picture could not be read. Choose a PNG or JPEG.',
  leave: 'Leave the company',
  leaveLead:
    'Your access through the company ends at once. Plants that you brought in stay with it, and are lost to you. Plants that you own and shared with it stay shared until you end that in their settings.',
  lastManager: 'You are the only manager. Make somebody else a manager before you leave.',
  left: 'You have left the company.',
  dissolve: 'Dissolve the company',
  dissolveLead:
    'It ends for everybody in it. You too lose its plants, also those that you brought in, unless they are your own or their owners invite you again. This cannot be undone.',
  dissolved: 'The company is dissolved.',
  refused: (expected: string) => `Expected: ${expected}`,
};
export type Texts = typeof en;
export default en;
