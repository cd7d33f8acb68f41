import type { Texts } from './en.ts';

const es: Texts = {
  toOverview: 'Todas las plantas',
  newPlant: 'Nueva planta',
  newPlantLead:
    'Díganos dónde está, y sus días y precios serán correctos desde la primera lectura.',
  onThisPage: 'En esta página',
  details: 'Datos',
  name: 'Nombre',
  capacity: 'Potencia nominal de los módulos (kWp)',
  address: 'Dirección',
  latitude: 'Latitud, norte positivo',
  longitude: 'Longitud, este positivo',
  needed: 'Los campos con * son necesarios.',
  missing: 'Rellene este campo.',
  place: 'Dónde está la planta',
  whereIAm: 'Usar mi ubicación',
  removePlace: 'Quitar el lugar',
  placeRefused: 'Su navegador no dice dónde está usted. Señale el lugar en el mapa o escríbalo.',
  placeMap: 'Mapa para señalar el lugar de la planta',
  placeHint:
    'Haga clic o toque el lugar de la planta; amplíe para ser más exacto. Arrastre para mover el mapa.',
  showPlace: 'Mostrar el lugar de la planta',
  chooseZone: 'Elija la zona horaria de la planta',
  noZone: 'No existe esa zona horaria',
  chooseCurrency: 'Elija la moneda de la planta',
  noCurrency: 'No existe esa moneda',
  timeZone: 'Zona horaria',
  suggested: (zone) => `La posición está en ${zone}.`,
  takeSuggestion: 'Usarla',
  fromPlace: 'Según la posición. Elija otra si no es correcta.',
  atSea: 'En esta posición no hay zona horaria en tierra. Revise latitud y longitud.',
  notDegrees: {
    latitude: 'Grados de -90 a 90, p. ej. 37,39; el sur es negativo.',
    longitude: 'Grados de -180 a 180, p. ej. -5,99; el oeste es negativo.',
  },
  currency: 'Moneda',
  notConverted: (from, to) =>
    `Los precios y los importes no se convierten, tampoco los pasados: 10 ${from} pasan a ser 10 ${to}.`,
  price: (currency) =>
    currency === '' ? 'Tarifa por kWh producido' : `Tarifa por kWh producido (${currency})`,
  pricesHint:
    'Bastan dos precios: lo que paga por un kWh de la red y lo que recibe por uno vendido. Valen desde el principio y se pueden cambiar después, en los ajustes de la planta, también para ciertas horas.',
  priceHint:
    'Se paga por cada kWh que produce, también por el que consume usted. La mayoría de las plantas no la tiene.',
  morePrices: 'Más: una tarifa por kWh producido',
  importPrice: (currency) =>
    currency === '' ? 'Coste por kWh comprado' : `Coste por kWh comprado (${currency})`,
  importPriceHint: 'Lo que paga por la energía de la red. Déjelo vacío si no lo sabe.',
  exportPrice: (currency) =>
    currency === '' ? 'Ingreso por kWh vendido' : `Ingreso por kWh vendido (${currency})`,
  exportPriceHint: 'Lo que le pagan por la energía que va a la red. Déjelo vacío si no lo sabe.',
  collector: 'Número de serie del colector, si lo tiene a mano',
  create: 'Crear la planta',
  save: 'Guardar',
  saved: 'Guardado.',
  created: 'La planta se ha creado.',
  addCollector: 'Vincular un colector',
  changedMeanwhile:
    'Alguien ha cambiado esta planta entretanto, quizá usted en otra pestaña. No se ha guardado nada de lo suyo.',
  loadNewest: 'Mostrar lo más reciente',
  refused: (expected) => `Se esperaba: ${expected}`,
  failed: 'No se pudo hacer.',
  taken: 'Este dispositivo ya está vinculado o reservado para otra persona.',
  reportedFirst:
    'En ninguna planta: el colector de otra persona lo comunicó primero. Un día después de la última comunicación de ese colector, usted puede vincularlo. Si es suyo y lo siguen comunicando desde otro sitio, pregunte al operador de esta nube.',
  takenChecks: [
    'En otra planta suya: desvincúlelo allí primero.',
    'En la planta de otra persona: tiene que desvincularlo ella.',
    'Un colector registrado para otra cuenta: introduzca su token, que le da el operador de esta nube.',
  ],
  unknownCollector: 'No existe ese colector, o es de otra persona.',
  collectorRefused:
    'No se puede vincular ningún colector con este número de serie. Compárelo con la etiqueta. El operador de esta nube tiene que registrar antes el colector: pregúntele si lo ha hecho. Para crear la planta sin él, deje este campo vacío y vincúlelo después.',
  collectorTaken:
    'Este colector ya está vinculado, o reservado para otra persona. Desvincúlelo primero donde está. Para crear la planta sin él, deje este campo vacío y vincúlelo después.',
  unknownDevice: 'No se puede vincular aquí ningún dispositivo con este número de serie.',
  compareSerial: 'Compárelo con la etiqueta, carácter por carácter.',
  collectorFirst:
    'Un inversor o contador: vincule primero su colector. Se conoce en cuanto este lo ha comunicado.',
  collectorEntered:
    'Un colector: el operador de esta nube lo registra primero. Pregúntele si lo ha hecho.',
  people: 'Personas',
  peopleLead: 'Familia e instaladores, que ven o controlan la planta con su propia cuenta.',
  owner: 'Propietario',
  withdrawOf: (email) => `Retirar la invitación de ${email}`,
  invitationWithdrawn: 'La invitación se ha retirado.',
  withdrawLead: (email) => `${email} ya no podrá aceptarla. Puede volver a invitar.`,
  endShare: 'Terminar el acceso',
  endShareOf: (email) => `Terminar el acceso de ${email}`,
  endShareLead: (email) => `${email} pierde el acceso de inmediato y puede ser invitado de nuevo.`,
  devices: 'Dispositivos',
  devicesLead:
    'Un colector trae consigo los dispositivos de los que ya se sabe que informan a través de él. Lo que comunica por primera vez se ofrece abajo en unos minutos. Un colector registrado para otra cuenta necesita su token: está en la etiqueta del colector o se lo da el operador de esta nube.',
  connect:
    'Conectar un inversor, un stick o un contador: qué activar, con un archivo y un token para copiar',
  bindTitle: 'Vincular un dispositivo',
  serial: 'Número de serie',
  token: 'Token del colector, si hace falta',
  reportTo: 'Los colectores informan a',
  bind: 'Vincular',
  bound: (sn) => `${sn} se ha vinculado.`,
  waiting: (count, shown, collector) =>
    count === 1
      ? `1 dispositivo informa a través de ${collector} y aún no está vinculado`
      : `${shown} dispositivos informan a través de ${collector} y aún no están vinculados`,
  kindOf: (sn) => `Qué es ${sn}`,
  bindAll: (shown) => `Vincular todos (${shown})`,
  boundAll: (shown) => `Se han vinculado ${shown} dispositivos.`,
  sharedLead:
    'La planta está compartida con usted. Sus datos, precios, personas y dispositivos los cambia el propietario.',
  installLead:
    'La planta está compartida con usted, y puede configurarla. Los precios y las personas son cosa del propietario.',
  installDevices: 'Abra un dispositivo para sustituirlo o corregir su nombre y su potencia.',
  keptReadings: (count, shown) =>
    count === 1 ? '1 lectura espera y viene con él' : `${shown} lecturas esperan y vienen con él`,
  replaceLead: 'Solo el propietario vincula y desvincula dispositivos. Para sustituir uno:',
  replaceSteps: [
    'Dé al propietario los números de serie del dispositivo antiguo y del nuevo.',
    'El propietario abre los ajustes de la planta y desvincula el antiguo en «Dispositivos». Lo que ha medido se queda en la planta.',
    'Allí vincula el nuevo. Si informa a través del mismo colector, se le ofrece allí automáticamente.',
    'O el propietario le permite hacerlo: en los ajustes de la planta, en «Personas», con «ve, controla y configura».',
  ],
  arrays: {
    title: 'Módulos',
    lead: 'Cómo están montados los módulos. Con un sensor de irradiancia, Helioport dice entonces lo que la planta debería haber producido.',
    fromPlant: 'Tomado de los datos de la planta. Compruébelo y guárdelo.',
    estimated:
      'Estimado a partir de días despejados de los inversores; aún no se usa. Compruébalo y guárdalo para confirmarlo.',
    takeEstimated: 'Rellenar con la estimación de días despejados',
    array: (number) => `Campo ${number}`,
    tilt: 'Inclinación (°)',
    azimuth: 'Orientación (°)',
    capacity: 'Potencia nominal (kWp)',
    inverter: 'Inversor',
    anyInverter: 'Sin indicar',
    directions:
      'Inclinación: 0 = horizontal, 90 = vertical. Orientación: 0 = norte, 90 = este, 180 = sur, 270 = oeste.',
    differs: (arrays, plant) => `Los campos suman ${arrays}; la planta tiene ${plant}.`,
    add: 'Añadir un campo',
    save: 'Guardar los módulos',
    saved: 'Los módulos se han guardado.',
  },
  tariffs: 'Precios',
  tariffsLead:
    'Lo que se cobra y se paga por la energía, y desde cuándo. Si un cambio alcanza el pasado, este se vuelve a calcular.',
  uses: {
    production: 'Tarifa por generación (por kWh producido)',
    import: 'Energía comprada',
    export: 'Energía vendida',
  },
  noPrice: 'Aún sin precio.',
  since: (when) => `desde el ${when}`,
  sinceEver: 'desde el principio',
  inForce: 'vigente',
  planned: 'empieza más tarde',
  remove: 'Quitar',
  removeTariff: 'Quitar el precio',
  removeTariffLead:
    'Vuelve a aplicarse el precio anterior. Si no hay ninguno, la energía no tiene precio hasta que empiece el siguiente. Se puede volver a fijar.',
  tariffRemoved: 'Eliminado.',
  firstCounts: 'Es el primer precio de su clase y se aplica también al tiempo anterior.',
  noneBefore: 'Antes de esa fecha no hay precio.',
  tariffPlanned: (when) => `Guardado. Se aplica desde el ${when}.`,
  tariffSaved: 'Guardado. Los ingresos y costes se están calculando de nuevo.',
  newPrice: 'Precio nuevo',
  priceOf: 'Para qué',
  pricePerKwh: 'Precio por kWh',
  validFrom: 'Válido',
  fromNow: 'desde ahora',
  fromDay: 'desde un día',
  firstDay: 'Primer día',
  setPrice: 'Fijar el precio',
  hoursEnd:
    'Un precio anterior tiene otros precios a ciertas horas. El nuevo no los tendrá si no los añade aquí.',
  addWindow: 'Otro precio a ciertas horas',
  window: (number) => `Horas ${number}`,
  windowStart: 'De',
  windowEnd: 'A',
  windowDays: 'Los días',
  days: { all: 'todos los días', work: 'de lunes a viernes', weekend: 'sábado y domingo' },
  weekDays: { mon: 'lun', tue: 'mar', wed: 'mié', thu: 'jue', fri: 'vie', sat: 'sáb', sun: 'dom' },
  inMonths: (months) => `meses ${months}`,
  boundDevices: 'En esta planta',
  noneBound: 'Aún no hay ningún dispositivo.',
  searchDevices: 'Buscar dispositivos de esta planta',
  unbind: 'Desvincular',
  historyStays: 'Lo que ha medido se queda en esta planta: curvas, energía e ingresos no cambian.',
  nothingTaken:
    'Lo que mida a partir de ahora no se registra hasta que se vuelva a vincular, aquí o en otra planta.',
  nothingWaits: 'No hay cambios de ajustes en espera. Las estrategias sobre él terminan.',
  waitingCommands: (count) =>
    `${count === 1 ? 'Hay un cambio de ajustes en espera. No se envía' : `Hay ${count} cambios de ajustes en espera. No se envían`} mientras esté desvinculado. Las estrategias sobre él terminan.`,
  bindAgain:
    'Para deshacerlo, vuelva a vincularlo: su número de serie estará en el campo de abajo.',
  withDevices: 'También los dispositivos que informan a través de él',
  withDevicesLead: 'Si se quedan, nadie informa por ellos hasta que lo haga otro colector.',
  unboundDone: (sn) => `${sn} se ha desvinculado.`,
  handOver: 'Entrega',
  offerLead:
    'Entregue la planta a su cliente o a quien compra la casa. En cuanto acepte, será suya con todo su historial. Entonces termina el acceso de otras personas, y también el de sus aplicaciones, aunque usted conserve un acceso propio; el nuevo propietario puede volver a invitar en «Personas». Después, solo el nuevo propietario cambia los datos de la planta, sus precios, personas y dispositivos.',
  offerAsk: (email) =>
    `${email} pasa a ser propietario al aceptar. Hasta entonces nada cambia, y usted puede retirar la oferta.`,
  keep: 'Su propio acceso después',
  keepNothing: 'Ninguno',
  keepRead: 'Ver',
  keepControl: 'Ver y controlar',
  keepInstall: 'Ver, controlar y configurar',
  ownEnds: 'También termina su propio acceso, si no lo conserva.',
  withoutDevices:
    'Esta planta aún no tiene ningún dispositivo. Puede ofrecerla así; después de la entrega, solo el nuevo propietario puede vincular dispositivos.',
  installerKeeps:
    'Su propio acceso no termina: quien instala una planta sigue ocupándose de ella. El nuevo propietario puede aceptar la planta sin él, o terminarlo después en «Personas».',
  keeps: {
    read: (who) => `${who} podrá seguir viendo la planta después, para su mantenimiento.`,
    control: (who) =>
      `${who} podrá seguir viendo y controlando la planta después, para su mantenimiento.`,
    install: (who) =>
      `${who} podrá seguir viendo, controlando y configurando la planta después: sustituir dispositivos, corregir su potencia y vincular otros.`,
  },
  tokensKnown: (count) =>
    count === 1
      ? 'Quien configuró el colector puede conocer su token, y con él podría enviar lecturas falsas o interceptar sus órdenes. Si termina ese acceso, el token también termina. Cree uno nuevo en la página del colector; hasta entonces, este guarda lo que mide.'
      : `Quien configuró los ${count} colectores puede conocer sus tokens, y con ellos podría enviar lecturas falsas o interceptar sus órdenes. Si termina ese acceso, los tokens también terminan. Cree otros nuevos en las páginas de los colectores; hasta entonces, estos guardan lo que miden.`,
  installerStays: (who) =>
    `${who} seguirá ocupándose de la planta como instalador y podrá controlarla.`,
  youKeep: {
    none: 'Usted no conserva ningún acceso.',
    read: 'Usted podrá seguir viendo la planta después.',
    control: 'Usted podrá seguir viendo y controlando la planta después.',
    install: 'Usted podrá seguir viendo, controlando y configurando la planta después.',
  },
  offerTo: 'Correo electrónico del nuevo propietario',
  offer: 'Ofrecer la planta',
  offered: (email) => `La planta se ha ofrecido a ${email}.`,
  offeredTo: (email) => `Ofrecida a ${email}`,
  offeredSince: (when, until) => `desde el ${when} · abierta hasta el ${until}`,
  offerWithdrawn: 'La oferta se ha retirado.',
  kept: {
    title: 'Cuánto tiempo se guardan las mediciones',
    lead: 'Las energías de días, meses y años, los importes y los picos se guardan para siempre. El operador de este servicio puede guardar las mediciones menos tiempo, nunca más de lo que se elige aquí.',
    readingThinning: 'Conservar una medición cada 15 minutos',
    readingRetention: 'Borrar las mediciones',
    off: 'según lo fijado por el operador',
    afterDays: (days) => `al cabo de ${days} días`,
    save: 'Guardar',
    warning:
      'Las mediciones reducidas o borradas no se recuperan, y los precios nuevos ya no cambian los importes de sus días.',
  },
  archive: 'Archivar la planta',
  archiveLead:
    'Dejará de mostrarse, y sus dispositivos quedarán libres para otra planta. Su historial se conserva, y puede recuperarla con los dispositivos que sigan libres: en «Plantas archivadas», debajo de la lista de plantas.',
  archivedDone:
    'La planta se ha archivado. Puede recuperarla en «Plantas archivadas», debajo de la lista de plantas.',
  archived: 'Plantas archivadas',
  noneArchived: 'No hay plantas archivadas.',
  archivedOn: (when) => `archivada el ${when}`,
  restore: 'Recuperar',
  restored: (name) => `${name} ha vuelto.`,
  restoredWith: (name) => `${name} ha vuelto, con sus dispositivos.`,
  restoredWithout: (name, count, shown) =>
    `${name} ha vuelto, pero ${count === 1 ? '1 dispositivo está' : `${shown} dispositivos están`} ahora en otra planta.`,
  toItsDevices: 'A sus dispositivos',
  invitations: 'Invitaciones',
  noInvitations: 'No hay invitaciones',
  noInvitationsLead: 'Cuando alguien comparta una planta con usted, aparecerá aquí.',
  received: 'Recibidas',
  sent: 'Enviadas',
  asks: {
    share: (from, plant) => `${from} comparte la planta «${plant}» con usted.`,
    installer: (from, plant) => `${from} quiere que usted cuide de la planta «${plant}».`,
    owner: (from, plant) => `${from} le entrega la planta «${plant}».`,
  },
  asked: {
    share: (from, plant) => `${from} le invitó a «${plant}».`,
    installer: (from, plant) => `${from} quería que usted cuidara de «${plant}».`,
    owner: (from, plant) => `${from} le ofreció «${plant}».`,
  },
  youMay: {
    read: 'Usted puede verla.',
    control: 'Usted puede verla y controlarla.',
    install:
      'Usted puede verla, controlarla y configurarla: sustituir dispositivos, corregir su potencia y vincular otros.',
  },
  thenYours: 'En cuanto acepte, será suya, con su historial.',
  handedOver: (from, plant) => `${from} le entregó «${plant}». Ahora es suya, con su historial.`,
  toPlant: 'A la planta',
  asksOf: {
    read: (to, plant) => `Invitó a ${to} a ver «${plant}».`,
    control: (to, plant) => `Invitó a ${to} a ver y controlar «${plant}».`,
    install: (to, plant) => `Invitó a ${to} a ver, controlar y configurar «${plant}».`,
    installer: (to, plant) => `Pidió a ${to} que cuide de «${plant}».`,
    owner: (to, plant) => `Ofreció «${plant}» a ${to}.`,
    company: (to, name) => `Invitó a ${to} a la empresa ${name}.`,
  },
  states: {
    open: (until) => `Se puede aceptar hasta el ${until}.`,
    accepted: (when) => `Se aceptó el ${when}.`,
    declined: (when) => `Se rechazó el ${when}.`,
    withdrawn: (when) => `Se retiró el ${when}.`,
    expired: (when) => `Caducó el ${when}.`,
  },
  acceptedFor: (company, when) => `Se aceptó para ${company} el ${when}.`,
  accessEnded: { received: 'Su acceso ha terminado.', sent: 'El acceso ha terminado.' },
  companyOf: (count) =>
    count === 1 ? 'Una empresa de 1 persona.' : `Una empresa de ${count} personas.`,
  acceptFor: (name) => `Aceptar para ${name}`,
  acceptForMe: 'Aceptar para mí',
  toCompany: 'A la empresa',
  acceptedForAll: 'Aceptada. Todos en la empresa tienen ahora la planta en su lista.',
  giveTo: (name) => `Compartirla con ${name}`,
  givenTo: (name) => `${name} tiene ahora la planta.`,
  endCompanyLead: (name) =>
    `Todos en ${name} pierden el acceso de inmediato, salvo quien tenga el suyo propio.`,
  acceptWithout: 'Aceptar y terminar ese acceso',
  accept: 'Aceptar',
  decline: 'Rechazar',
  withdraw: 'Retirar',
  accepted: 'Aceptada. La planta está ahora en su lista.',
};
export default es;
