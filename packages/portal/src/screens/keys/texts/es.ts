import type { Texts } from './en.ts';

const es: Texts = {
  title: 'Gestión de la API',
  lead: 'Con una clave, un programa suyo puede leer o controlar sus plantas. Es un par de identificador y secreto, con el que el programa firma cada petición.',
  refused: '¿Se rechaza una petición? Encontrar el error.',
  guide: 'Cómo usar una clave',
  activateLead: '«Activar ahora» crea un nuevo par de claves.',
  activateNow: 'Activar ahora',
  create: 'Nuevo par de claves',
  replace: 'Sustituir el par de claves',
  replaceShort: 'Sustituir',
  replaceLead: (name) =>
    `El nuevo par de claves sustituye a ${name}, que sigue funcionando hasta que lo desactive: cambie primero sus programas y después desactívelo.`,
  disable: 'Desactivar',
  activate: 'Crear el par de claves',
  activateReplacement: 'Crear el sustituto',
  cancel: 'Cancelar',
  close: 'Cerrar',
  none: 'No hay ningún par de claves activo',
  noneLead:
    '«Activar ahora» crea un par de claves que deja entrar a sus propios programas. Usted decide qué pueden hacer y durante cuánto tiempo.',
  unnamed: 'Sin nombre',
  waiting: 'Un par de claves espera a su próximo inicio de sesión',
  waitingLead: 'Se rechaza hasta que cierre la sesión y vuelva a entrar con su contraseña.',
  expiring: (name) => `${name} caduca pronto`,
  expiringLead: 'Sustitúyalo a tiempo: ambos pares funcionan hasta que desactive el antiguo.',
  over: (count) =>
    count === 1 ? '1 par de claves terminado' : `${count} pares de claves terminados`,
  worksUntil: (when) => `Si no, vale hasta el ${when}.`,
  newest: (when) => `El más reciente con este nombre, creado el ${when}.`,
  older: 'Uno anterior con este nombre. Desactívelo cuando sus programas usen el más reciente.',
  olderUntil: (when) =>
    `Uno anterior con este nombre; vale hasta el ${when}. Desactívelo cuando sus programas usen el más reciente.`,
  disableTitle: '¿Desactivar este par de claves?',
  disableLead:
    'Los programas que lo usan se rechazan a partir de su próxima petición. No se puede volver a activar.',
  disabled: (name) => `${name} está desactivado.`,
  columns: {
    key: 'Par de claves',
    state: 'Estado',
    may: 'Qué puede hacer',
    used: 'Último uso',
    expires: 'Caduca',
    actions: 'Acciones',
  },
  permission: { read: 'Leer', control: 'Leer y controlar' },
  allPlants: 'todas las plantas',
  andMore: (count) => `y ${count} más`,
  from: (networks) => `solo desde ${networks}`,
  neverUsed: 'nunca',
  states: {
    waiting: 'Espera un inicio de sesión',
    active: 'Activo',
    expiring: 'Caduca pronto',
    expired: 'Caducado',
    disabled: 'Desactivado',
  },
  form: {
    label: 'Nombre',
    labelLead: 'Para reconocerlo más tarde: «servidor de casa», por ejemplo.',
    may: 'Qué puede hacer',
    readLead: 'Ver plantas, lecturas y alarmas.',
    controlLead: 'También cambiar ajustes de los dispositivos y gestionar plantas.',
    plants: 'Para qué plantas',
    networks: 'Solo desde estas direcciones (opcional)',
    networksLead:
      'Direcciones o redes, una por línea. Si queda vacío, se acepta desde cualquier lugar.',
    expiry: 'Caduca',
    lifetimes: { 182: 'en medio año', until: 'un día que usted elija', never: 'nunca' },
    lastDay: 'Último día',
    untilDay: (lifetime, day) => `${lifetime} (hasta el ${day})`,
    days: (days) => `en ${days} días`,
    password: 'Su contraseña',
    passwordLead: 'Un par de claves da acceso duradero; por eso, confirme que es usted.',
    showPassword: 'Mostrar la contraseña',
  },
  created: {
    title: 'Su nuevo par de claves',
    once: 'El KeySecret solo se muestra ahora',
    onceLead:
      'Guárdelo donde solo su programa lo encuentre. Si se pierde, sustituya el par de claves.',
    waiting: 'Vale a partir de su próximo inicio de sesión',
    waitingLead:
      'Hasta entonces se rechazan las peticiones con él. Cierre la sesión y vuelva a entrar para usarlo.',
    overlap: (until) =>
      until === undefined
        ? 'El par de claves antiguo vale hasta que lo desactive.'
        : `El par de claves antiguo vale hasta que lo desactive, o hasta el ${until}.`,
    leaveTitle: '¿Cerrar sin el KeySecret?',
    leaveLead: 'No se ha copiado y no se volverá a mostrar.',
    leave: 'Cerrar de todos modos',
    request: 'Una petición firmada para probar',
    requestLead: 'Péguela en un terminal con curl y openssl. Muestra sus plantas.',
    copy: 'Copiar',
    copied: 'Copiado',
    later: 'Más tarde',
    logOut: 'Cerrar la sesión ahora',
  },
  faults: {
    away: 'El servidor no responde. Inténtelo de nuevo en un momento.',
    wrongPassword: 'La contraseña es incorrecta.',
    wrongFactor: 'El código es incorrecto o ya se usó. Espere al siguiente.',
    throttled: 'Demasiados intentos. Espere medio minuto.',
    networks:
      'Uno de estos datos no es ni una dirección ni una red. Escriba por ejemplo 203.0.113.7, 203.0.113.0/24 o 2001:db8::/32.',
  },
};
export default es;
