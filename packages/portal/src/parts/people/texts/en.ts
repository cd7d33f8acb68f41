/** What people may who are invited to plants, how they are invited, and what came of it. */
const en = {
  mayInstall: 'can view, control and set up',
  mayControl: 'can view and control',
  maySee: 'can view',
  email: 'E-mail address',
  level: 'What the person may do',
  invite: 'Invite',
  invited: (email: string) => `${email} has been invited.`,
  alreadyMay: (email: string, may: string, plants: string) =>
    `${email} ${may.replace('can', 'can already')} ${plants}.`,
  changeLevelOf: (email: string) => `Change what ${email} may do?`,
  changeLevelTo: (may: string) => `Change to: ${may}`,
  changeLevelLead: 'The change applies at once, without an invitation.',
  levelChanged: (email: string, may: string, plants: string) =>
    `${email} ${may.replace('can', 'can now')} ${plants}.`,
  refused: (expected: string) => `Expected: ${expected}`,
  thePlant: 'the plant',
  thisPlant: 'this plant',
  may: {
    read: (plant: string) => `Can view ${plant}.`,
    control: (plant: string) => `Can view and control ${plant}.`,
    install: (plant: string) => `Can view, control and set up ${plant}.`,
  },
  since: (when: string) => `Since ${when}.`,
  acceptedOn: (when: string) => `Accepted the invitation on ${when}.`,
  asked: {
    read: (plant: string) => `Invited to view ${plant}. No answer yet.`,
    control: (plant: string) => `Invited to view and control ${plant}. No answer yet.`,
    install: (plant: string) => `Invited to view, control and set up ${plant}. No answer yet.`,
    installer: (plant: string) => `Asked to look after ${plant}. No answer yet.`,
    owner: (plant: string) => `Invited to take over ${plant}. No answer yet.`,
  },
  until: (when: string) => `The invitation can be accepted until ${when}.`,
  company: {
    asks: {
      member: (from: string, name: string) => `${from} invites you to join the company ${name}.`,
      manager: (from: string, name: string) =>
        `${from} invites you to join the company ${name}, as one of its managers.`,
    },
    lead: 'You then see the plants of the company, and its managers see that you belong to it.',
    leaveFirst: (own: string) => `You already belong to ${own}. To join, leave it first.`,
    toOwn: 'To my company',
    accept: 'Accept',
    decline: 'Decline',
    joined: (name: string) =>
      `You belong to ${name} now. Its plants, also later ones, are in your list.`,
  },
};
export type Texts = typeof en;
export default en;
