import type { Texts } from './en.ts';

export default {
  navigation: {
    label: 'Principal',
    overview: 'Resumen',
    alarms: 'Alarmas',
    access: 'Acceso',
    settings: 'Ajustes',
    installation: 'Instalación',
    health: 'Estado',
    accounts: 'Cuentas',
    collectors: 'Colectores',
    applications: 'Apps',
    trail: 'Registro',
    developers: 'Desarrollo',
    account: 'Cuenta',
  },
  support: {
    label: 'Ayuda de los operadores',
    looking: (email, until) =>
      `Hasta las ${until} ve usted el portal como lo ve ${email}. No puede cambiar nada, y queda constancia de lo que mira.`,
    allowed: (until) =>
      `Los operadores de este servicio pueden ver hasta las ${until} sus propias plantas.`,
    end: 'Terminar',
  },
  skip: 'Ir al contenido',
  notKept: 'Esta página no se puede mostrar sin conexión',
  keptOverview: 'Mostrar el último resumen disponible',
  home: 'Helioport, ir al resumen',
  menu: 'Cuenta y ajustes',
  account: 'Cuenta y seguridad',
  preferences: 'Idioma y aspecto',
  signedInAs: 'Sesión iniciada como',
  newPlant: 'Nueva planta',
  invitations: 'Invitaciones',
  invited: (count) =>
    count === 1
      ? 'Una invitación espera su respuesta.'
      : `${count} invitaciones esperan su respuesta.`,
  toInvitations: 'Ver y responder',
  service: 'Servicio',
  keys: 'Gestión de la API',
  developer: 'Para desarrolladores',
  signOut: 'Cerrar sesión',
  signIn: 'Iniciar sesión',
  unreachable:
    'Sin conexión con el servidor. Lo que ve puede no estar al día; se sigue intentando.',
  back: 'Conectado de nuevo.',
  notFound: 'Esta página no existe',
  notFoundLead: 'Quizá se ha movido, o la dirección tiene una errata.',
  toOverview: 'Ir al resumen',
  broken: 'Algo ha fallado en esta página',
  reload: 'Volver a cargar la página',
} satisfies Texts;
