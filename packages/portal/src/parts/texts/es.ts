import type { Texts } from './en.ts';

export default {
  noPlant: 'No hay tal planta',
  again: 'Volver a intentarlo',
  close: 'Cerrar',
  failed: 'No se ha podido cargar',
  noPermission: 'No existe, o usted no tiene acceso',
  toOverview: 'Ir al resumen',
  unreachable: 'El servidor no responde en este momento',
  state: {
    online: 'En línea',
    offline: 'Sin conexión',
    alarm: 'Alarma',
    building: 'Sin dispositivos',
  },
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  yearBefore: {
    more: (percent: string) => `${percent} más que hace un año`,
    less: (percent: string) => `${percent} menos que hace un año`,
    same: 'Igual que hace un año',
    before: (energy: string) => `Los mismos días hace un año: ${energy}`,
  },
  unsaved: {
    title: '¿Salir sin guardar?',
    lead: 'Los cambios de esta página aún no se han guardado.',
    leave: 'Salir sin guardar',
  },
  preferences: {
    language: 'Idioma',
    look: 'Aspecto',
    looks: { auto: 'Como el dispositivo', light: 'Claro', dark: 'Oscuro' },
  },
  newPassword: { hint: 'Al menos 10 caracteres', show: 'Mostrar contraseña' },
  demoPassword:
    'Las contraseñas de las cuentas de la demo están en el terminal en el que se inició.',
  ownedBy: (email) => `pertenece a ${email}`,
  plants: {
    all: 'Todas las plantas, también futuras',
    asBefore: 'Todas las que tiene ahora',
    some: 'Solo algunas plantas',
    search: 'Buscar plantas',
    chosen: (count) => (count === 1 ? '1 planta elegida' : `${count} plantas elegidas`),
  },
  factor: {
    label: 'Segundo factor',
    lead: 'Seis cifras de su aplicación de autenticación o un código de recuperación.',
    passkey: 'Usar una llave de acceso',
    unused: 'No se usó la llave de acceso.',
  },
  access: {
    label: 'Quién tiene acceso',
    authorizations: 'Gestión de autorizaciones',
    keys: 'Gestión de la API',
    company: 'Empresa',
  },
  passOn: {
    title: (email) => `Aquí no se envían correos: avise usted mismo a ${email}`,
    lead: 'Comparta este enlace. La invitación está allí tras iniciar sesión con esa dirección. Quien aún no tenga cuenta la recibe del operador de este servicio.',
    link: 'Enlace a la invitación',
  },
  developer: {
    label: 'Para desarrolladores',
    applications: 'Aplicaciones',
    explorer: 'Explorador',
    debugger: 'Depurador de firmas',
  },
  plant: {
    pages: 'Páginas de la planta',
    overview: 'Planta',
    devices: 'Dispositivos',
    strategies: 'Estrategias',
    settings: 'Ajustes',
    viewOnly: 'Solo lectura',
    former: 'una planta que ya no ve',
    all: 'Todas las plantas',
    localTime: (time, zone) => `${time} en ${zone}`,
    lastReport: (ago) => `Último envío ${ago}`,
  },
  device: {
    device: 'Dispositivo',
    kind: 'Tipo',
    kinds: {
      inverter: 'Inversor',
      collector: 'Colector',
      epm: 'Gestor de exportación',
      ammeter: 'Contador',
      weather: 'Estación meteorológica',
    },
    state: 'Estado',
    alarms: (count, shown) => (count === 1 ? '1 alarma' : `${shown} alarmas`),
    unexpected: 'debería estar en línea',
    lastReport: 'Último envío',
    never: 'nunca',
    power: 'Potencia ahora',
    today: 'Hoy',
    fullHours: 'Horas a plena carga hoy (a potencia nominal)',
  },
  worthOf: {
    savedAndSold: 'Ahorrado + vendido',
    saved: 'Ahorrado',
    sold: 'Vendido',
    produced: 'Tarifa por generación',
  },
  connection: {
    asOf: (time) => `a las ${time}`,
    since: {
      resting: (time) => `En reposo desde ${time}: no hay sol.`,
      catchingUp: (time) => `Están llegando lecturas anteriores; alcanzan hasta ${time}.`,
      collectorSilent: (time) => `El colector no envía datos desde ${time}.`,
      devicesSilent: (time) =>
        `El colector envía datos, pero ningún dispositivo conectado a él desde ${time}.`,
      collectorWaiting: (time) =>
        `El colector nunca ha enviado datos; la última lectura es de ${time}.`,
      noCollector: (time) =>
        `Ningún colector envía datos de esta planta; la última lectura es de ${time}.`,
      noDevices: (time) => `Ya no hay dispositivos; la última lectura es de ${time}.`,
    },
    never: {
      resting: 'Aún no hay lecturas.',
      catchingUp: 'Están llegando lecturas anteriores.',
      collectorSilent:
        'El colector ha dejado de enviar datos y ningún dispositivo ha enviado aún una lectura.',
      devicesSilent:
        'El colector envía datos, pero ningún dispositivo conectado a él ha enviado aún una lectura.',
      collectorWaiting: 'El colector aún no ha enviado datos.',
      noCollector: 'Esta planta no tiene colector, por lo que nada informa.',
      noDevices: 'Esta planta no tiene dispositivos, por lo que nada informa.',
    },
    advice: {
      resting: undefined,
      catchingUp:
        'Se está entregando lo que el colector guardó durante un corte. Después vendrán los valores actuales.',
      collectorSilent:
        '¿Está encendido el router y funciona internet? ¿Tiene corriente el colector? Si es así, desenchúfelo un minuto. Lo que mida mientras tanto se guarda y llega después.',
      devicesSilent:
        '¿Está encendido el inversor? ¿Está enchufado su cable al colector en ambos extremos? Si es así, reinicie el colector.',
      collectorWaiting:
        '¿Tiene corriente el colector y conexión a internet? Sus primeros datos llegan en unos minutos.',
      noCollector:
        'Vincule un colector en los ajustes de la planta para que sus dispositivos puedan enviar datos.',
      noDevices: 'Vincule un colector y los dispositivos en los ajustes de la planta.',
    },
  },
  since: (day) => `desde el ${day}`,
  table: {
    all: 'En total',
    sortBy: 'Ordenar por',
    bySize: ['de menor a mayor', 'de mayor a menor'],
    byLetter: ['de la A a la Z', 'de la Z a la A'],
    byNeed: ['primero el peor', 'primero el mejor'],
    byAge: ['primero el más antiguo', 'primero el más reciente'],
    range: (from, to, total) => `${from}–${to} de ${total}`,
    previous: 'Página anterior',
    next: 'Página siguiente',
  },
  chart: {
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    whole: 'Mostrar todo',
    asTable: 'Como tabla',
    asChart: 'Como gráfico',
    csv: 'Descargar como CSV',
    time: 'Hora',
    earlier: 'Antes',
    later: 'Después',
    summary: (title, from, to) => `${title}, de ${from} a ${to}`,
    series: 'Qué se muestra',
    clock: (zone) => `Horas de ${zone}`,
    nothing: 'No hay lecturas de este periodo',
  },
} satisfies Texts;
