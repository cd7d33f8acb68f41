import type { Texts } from './en.ts';

const es: Texts = {
  title: 'Empresa',
  lead: 'Varias personas, un mismo parque: todos en una empresa ven sus plantas, cada uno con su propia cuenta. Puede pertenecer a una empresa.',
  found: 'Crear una empresa',
  name: 'Nombre de la empresa',
  foundNow: 'Crear la empresa',
  offers: 'Le han invitado',
  until: (time) => `abierta hasta el ${time}`,
  people: 'Personas',
  you: 'usted',
  roles: { manager: 'Gestor', member: 'Miembro' },
  makeManager: 'Nombrar gestor',
  makeMember: 'Pasar a miembro',
  remove: 'Quitar',
  removeTitle: (who) => `¿Quitar a ${who}?`,
  removeLead:
    'El acceso a través de la empresa termina de inmediato: las claves y sesiones de esta persona ya no llegan a sus plantas. El acceso propio permanece.',
  removed: (who) => `${who} ya no está en la empresa.`,
  invite: 'Invitar',
  email: 'Correo electrónico',
  role: 'Función',
  roleLead:
    'Los miembros ven las plantas de la empresa y controlan las que ella puede controlar. Los gestores además invitan y quitan a personas, renuncian a plantas, y pueden cambiar el nombre de la empresa o disolverla.',
  invited: (email) =>
    `Se ha invitado a ${email}. Al iniciar sesión, verá la invitación en el menú de su cuenta, en «Invitaciones».`,
  withdraw: 'Retirar',
  withdrawTitle: (email) => `¿Retirar la invitación a ${email}?`,
  withdrawLead: 'Entonces ya no se podrá aceptar. Puede volver a invitar.',
  withdrawn: (email) => `La invitación a ${email} se ha retirado.`,
  plants: 'Plantas de la empresa',
  plantsLead:
    'Las plantas de los clientes llegan cuando su propietario invita a alguno de ustedes y este acepta para la empresa. Quien ya tiene acceso propio a una puede aportarla aquí.',
  noPlants: 'Ninguna todavía.',
  mayInstall: 've, controla y configura',
  mayControl: 've y controla',
  maySee: 've',
  installer: 'es su instaladora',
  end: 'Renunciar',
  endTitle: '¿Renunciar a esta planta?',
  endLead:
    'Usted y todos los demás en la empresa pierden esta planta, salvo quien tenga acceso propio. Quien la aportó ya no lo tiene. Solo vuelve si su propietario invita de nuevo a alguno de ustedes.',
  endLeadOwn:
    'Las demás personas de la empresa ya no la ven, salvo quien tenga acceso propio. Sigue siendo suya, y puede volver a compartirla con la empresa.',
  ended: (plant) => `La empresa ya no tiene ${plant}.`,
  bringTitle: 'Plantas compartidas con usted, no con la empresa',
  bringLead: 'Si las aporta, todos en la empresa tienen el acceso que usted tiene ahora.',
  bringAll: 'Todas',
  bring: (count) => `Aportar (${count})`,
  bringAsk: (count, shown) =>
    count === 1 ? '¿Aportar esta planta a la empresa?' : `¿Aportar ${shown} plantas a la empresa?`,
  bringGives: (company, count) =>
    `Todos en ${company} podrán hacer con ${count === 1 ? 'ella' : 'ellas'} lo que usted puede ahora. Para usted no cambia nada mientras pertenezca a la empresa. ${count === 1 ? 'El propietario ve la empresa entre quienes tienen acceso y puede' : 'Los propietarios ven la empresa entre quienes tienen acceso y pueden'} terminarlo.`,
  bringWayBack:
    'Si deja la empresa, o si esta renuncia a una planta, usted deja de tenerla. La vuelta atrás: su propietario le invita de nuevo.',
  brought: (count, shown) =>
    count === 1
      ? 'La empresa ya tiene esta planta.'
      : `La empresa ya tiene estas ${shown} plantas.`,
  give: (count) => `Compartir mis plantas (${count})`,
  giveNow: 'Compartir estas plantas',
  giveLead:
    'Todos en la empresa las ven y controlan entonces. Siguen siendo suyas. Las plantas sueltas se comparten en sus ajustes, en Personas.',
  andMore: (names, more) => `${names} y ${more} más`,
  giving: (left) => `faltan ${left}`,
  given: (count, shown) =>
    `La empresa tiene ${count === 1 ? 'la única planta que es suya' : `las ${shown} plantas que son suyas`}. Las de los clientes llegan cuando su propietario invita a alguno de ustedes.`,
  previous: 'Anterior',
  next: 'Siguiente',
  page: (page, pages) => `Página ${page} de ${pages}`,
  settings: 'Ajustes de la empresa',
  rename: 'Cambiar el nombre',
  renamed: 'Guardado.',
  logo: 'Logotipo',
  logoLead:
    'Figura en los informes de las plantas cuya empresa instaladora es esta. Lo ve quien puede ver la planta. PNG o JPEG; las imágenes grandes se reducen.',
  chooseLogo: 'Elegir un logotipo',
  removeLogo: 'Quitar el logotipo',
  logoOf: (name) => `Logotipo de ${name}`,
  noPicture: 'No se ha podido leer la imagen. Elija un PNG o JPEG.',
  leave: 'Dejar la empresa',
  leaveLead:
    'Su acceso a través de la empresa termina de inmediato. Las plantas que aportó se quedan en ella, y usted las pierde. Las plantas propias que compartió con ella siguen compartidas hasta que lo termine en sus ajustes.',
  lastManager: 'Es el único gestor. Haga gestor a otra persona antes de irse.',
  left: 'Ha dejado la empresa.',
  dissolve: 'Disolver la empresa',
  dissolveLead:
    'Termina para todos. También usted pierde sus plantas, incluso las que aportó, salvo que sean suyas o que sus propietarios le inviten de nuevo. No se puede deshacer.',
  dissolved: 'La empresa está disuelta.',
  refused: (expected) => `Se esperaba: ${expected}`,
};
export default es;
