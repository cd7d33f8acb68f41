import type { Texts } from './en.ts';

export default {
  navigation: {
    label: 'Principal',
    overview: 'Resumen',
    alarms: 'Alarmas',
    access: 'Acceso',
    account: 'Cuenta',
  },
  skip: 'Ir al contenido',
  home: 'Helioport, ir al resumen',
  menu: 'Cuenta y ajustes',
  signedInAs: 'Sesión iniciada como',
  language: 'Idioma',
  look: 'Aspecto',
  auto: 'Como el dispositivo',
  light: 'Claro',
  dark: 'Oscuro',
  signOut: 'Cerrar sesión',
  signIn: 'Iniciar sesión',
  unreachable: 'Sin conexión con el servidor. Lo que ve puede no estar al día; se sigue intentando.',
  back: 'Conectado de nuevo.',
  notFound: 'Esta página no existe',
  notFoundLead: 'Quizá se ha movido, o la dirección tiene una errata.',
  toOverview: 'Ir al resumen',
  broken: 'Algo ha fallado en esta página',
  reload: 'Volver a cargar la página',
} satisfies Texts;
