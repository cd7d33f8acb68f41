import type { Texts } from './en.ts';

const de: Texts = {
  mayInstall: 'sieht, steuert und richtet ein',
  mayControl: 'sieht und steuert',
  maySee: 'sieht',
  email: 'E-Mail-Adresse',
  level: 'Was die Person darf',
  invite: 'Einladen',
  invited: (email) => `${email} ist eingeladen.`,
  alreadyMay: (email, may, plants) => `${email} ${may} ${plants} schon.`,
  changeLevelOf: (email) => `Ändern, was ${email} darf?`,
  changeLevelTo: (may) => `Ändern auf: ${may}`,
  changeLevelLead: 'Die Änderung gilt sofort, ohne Einladung.',
  levelChanged: (email, may, plants) => `${email} ${may} ${plants} ab jetzt.`,
  refused: (expected) => `Erwartet: ${expected}`,
  thePlant: 'die Anlage',
  thisPlant: 'diese Anlage',
  may: {
    read: (plant) => `Darf ${plant} sehen.`,
    control: (plant) => `Darf ${plant} sehen und steuern.`,
    install: (plant) => `Darf ${plant} sehen, steuern und einrichten.`,
  },
  since: (when) => `Seit ${when}.`,
  acceptedOn: (when) => `Hat die Einladung am ${when} angenommen.`,
  asked: {
    read: (plant) => `Eingeladen, ${plant} zu sehen. Noch keine Antwort.`,
    control: (plant) => `Eingeladen, ${plant} zu sehen und zu steuern. Noch keine Antwort.`,
    install: (plant) =>
      `Eingeladen, ${plant} zu sehen, zu steuern und einzurichten. Noch keine Antwort.`,
    installer: (plant) => `Gebeten, ${plant} zu betreuen. Noch keine Antwort.`,
    owner: (plant) => `Eingeladen, ${plant} zu übernehmen. Noch keine Antwort.`,
  },
  until: (when) => `Die Einladung kann bis ${when} angenommen werden.`,
  company: {
    asks: {
      member: (from, name) => `${from} lädt Sie in die Firma ${name} ein.`,
      manager: (from, name) => `${from} lädt Sie als Verwalter in die Firma ${name} ein.`,
    },
    lead: 'Sie sehen dann die Anlagen der Firma, und deren Verwalter sehen, dass Sie dazugehören.',
    leaveFirst: (own) =>
      `Sie gehören bereits zu ${own}. Um beizutreten, verlassen Sie diese Firma zuerst.`,
    toOwn: 'Zu meiner Firma',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    joined: (name) =>
      `Sie gehören jetzt zu ${name}. Die Anlagen der Firma, auch künftige, stehen in Ihrer Liste.`,
  },
};
export default de;
