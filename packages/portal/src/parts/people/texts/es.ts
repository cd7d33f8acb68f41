import type { Texts } from './en.ts';

const es: Texts = {
  mayInstall: 've, controla y configura',
  mayControl: 've y controla',
  maySee: 've',
  email: 'Correo electrónico',
  level: 'Qué puede hacer la persona',
  invite: 'Invitar',
  invited: (email) => `Se ha invitado a ${email}.`,
  alreadyMay: (email, may, plants) => `${email} ya ${may} ${plants}.`,
  changeLevelOf: (email) => `¿Cambiar lo que puede hacer ${email}?`,
  changeLevelTo: (may) => `Cambiar a: ${may}`,
  changeLevelLead: 'El cambio se aplica enseguida, sin invitación.',
  levelChanged: (email, may, plants) => `${email} ahora ${may} ${plants}.`,
  refused: (expected) => `Se esperaba: ${expected}`,
  thePlant: 'la planta',
  thisPlant: 'esta planta',
  may: {
    read: (plant) => `Puede ver ${plant}.`,
    control: (plant) => `Puede ver y controlar ${plant}.`,
    install: (plant) => `Puede ver, controlar y configurar ${plant}.`,
  },
  since: (when) => `Desde el ${when}.`,
  acceptedOn: (when) => `Aceptó la invitación el ${when}.`,
  asked: {
    read: (plant) => `Tiene una invitación para ver ${plant}. Aún no ha respondido.`,
    control: (plant) => `Tiene una invitación para ver y controlar ${plant}. Aún no ha respondido.`,
    install: (plant) =>
      `Tiene una invitación para ver, controlar y configurar ${plant}. Aún no ha respondido.`,
    installer: (plant) => `Se le pidió que cuide de ${plant}. Aún no ha respondido.`,
    owner: (plant) => `Tiene una invitación para hacerse cargo de ${plant}. Aún no ha respondido.`,
  },
  until: (when) => `La invitación se puede aceptar hasta el ${when}.`,
  company: {
    asks: {
      member: (from, name) => `${from} le invita a la empresa ${name}.`,
      manager: (from, name) => `${from} le invita a la empresa ${name} como gestor.`,
    },
    lead: 'Verá entonces las plantas de la empresa, y sus gestores verán que pertenece a ella.',
    leaveFirst: (own) => `Ya pertenece a ${own}. Para unirse, deje antes esa empresa.`,
    toOwn: 'A mi empresa',
    accept: 'Aceptar',
    decline: 'Rechazar',
    joined: (name) =>
      `Ahora pertenece a ${name}. Sus plantas, también las futuras, están en su lista.`,
  },
};
export default es;
