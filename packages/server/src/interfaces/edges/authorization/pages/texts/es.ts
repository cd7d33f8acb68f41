import type { PageTexts } from './page-texts.ts';

export const es: PageTexts = {
  language: 'Idioma',
  logIn: {
    title: 'Iniciar sesión',
    lead: (application) => `para decidir qué puede hacer ${application} con sus plantas solares`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    showPassword: 'Mostrar contraseña',
    hidePassword: 'Ocultar contraseña',
    submit: 'Iniciar sesión',
    wrong: 'El correo electrónico o la contraseña no son correctos.',
    throttled: 'Demasiados intentos. Espere medio minuto antes del siguiente.',
    passkey: 'Iniciar sesión con una llave de acceso',
    forgotten: '¿Ha olvidado su contraseña?',
    noAccount: '¿Aún no tiene cuenta? Regístrese',
  },
  secondStep: {
    title: 'Confirme que es usted',
    lead: 'Introduzca los seis dígitos que muestra su aplicación de autenticación.',
    leadPasskey: 'Utilice su llave de acceso o un código de recuperación.',
    code: 'Código',
    recoveryCode: 'Código de recuperación',
    hint: 'Si no tiene a mano la aplicación ni la llave de acceso, introduzca uno de sus códigos de recuperación.',
    submit: 'Continuar',
    passkey: 'Usar una llave de acceso',
    again: 'Empezar de nuevo',
    wrong:
      'Este código es incorrecto o ya se ha utilizado, o no se ha aceptado la llave de acceso.',
    wrongPasskey: 'No se ha aceptado esta llave de acceso.',
    throttled: 'Demasiados intentos. Espere unos minutos o utilice un código de recuperación.',
  },
  consent: {
    title: (application) => `${application} solicita acceso`,
    lead: (application) =>
      `Usted decide qué puede hacer ${application} con sus plantas solares. Desmarque lo que no quiera permitir.`,
    says: (application) => `Según ${application}:`,
    homePage: 'Sitio web',
    returnTo: (host) => `Después de su decisión volverá a ${host}.`,
    signedInAs: 'Sesión iniciada como',
    logOut: 'Cerrar sesión',
    scopes: 'Qué podrá hacer la aplicación',
    scope: {
      access_data: [
        'Leer datos',
        'Ver sus plantas y dispositivos, con sus mediciones, datos de energía y alarmas.',
      ],
      control_device: [
        'Controlar dispositivos',
        'Cambiar los ajustes de sus inversores y encenderlos o apagarlos. Esto puede cortar su suministro eléctrico: permítalo solo si confía en la aplicación para ello.',
      ],
    },
    plants: 'A qué plantas podrá acceder',
    allPlants: 'Todas mis plantas, las actuales y las futuras',
    somePlants: 'Solo estas plantas',
    noPlants: 'Todavía no tiene ninguna planta.',
    filter: 'Buscar una planta',
    tickListed: 'Marcar todas las mostradas',
    clearListed: 'Desmarcar todas las mostradas',
    ticked: '{ticked} de {plants} marcadas',
    manyPlants: (shown) => `Solo se muestran las primeras ${shown} plantas.`,
    ending:
      'Para retirar este acceso más adelante, diríjase al operador de este servicio; terminará de inmediato.',
    endingYourself:
      'Puede retirar este acceso usted mismo en cualquier momento; terminará de inmediato.',
    toAuthorizations: 'A sus autorizaciones en el portal',
    approve: 'Permitir',
    deny: 'Denegar',
    noScope: 'Marque al menos un permiso, o deniegue el acceso.',
    noPlant: 'Marque al menos una planta, o deniegue el acceso.',
  },
  error: {
    title: 'No se puede continuar con esta solicitud',
    lead: 'No ha vuelto a la aplicación porque su solicitud contiene un error. No se ha concedido ningún acceso.',
    technical: 'Detalles para quien desarrolla la aplicación',
    requestId: 'Identificador de la solicitud',
    again: 'Empezar de nuevo',
    reasons: {
      applicationMissing: 'La solicitud no indica de qué aplicación procede.',
      applicationUnknown: 'Esta aplicación es desconocida o no está aprobada.',
      callbackMissing: 'La solicitud no indica la dirección de retorno.',
      callbackMismatch: 'La dirección de retorno no es la que registró la aplicación.',
      callbackUnencoded: 'La dirección de retorno está incompleta.',
      pageExpired:
        'Esta página ya se envió, estuvo abierta demasiado tiempo o pertenece a otra solicitud.',
      internal: 'Algo ha fallado por nuestra parte.',
      tooManyRequests:
        'Demasiadas solicitudes a la vez. Vuelva a intentarlo dentro de unos segundos.',
      unavailable:
        'El servicio no está disponible en este momento. Inténtelo de nuevo en unos segundos.',
    },
  },
};
