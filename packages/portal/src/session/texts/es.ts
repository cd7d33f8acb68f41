import type { Texts } from './en.ts';

export default {
  title: 'Iniciar sesión',
  lead: 'Vea lo que hace su tejado ahora y lo que ha ganado.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  showPassword: 'Mostrar contraseña',
  submit: 'Iniciar sesión',
  wrong: 'El correo electrónico o la contraseña no son correctos.',
  throttled: 'Demasiados intentos. Espere medio minuto antes del siguiente.',
  away: 'El servidor no responde. Inténtelo de nuevo en un momento.',
  demo: 'Explorar la demostración',
  demoLead:
    'Esto es una demostración con plantas simuladas. Nada de lo que haga aquí conmuta equipos reales.',
  forgotten: '¿Ha olvidado su contraseña?',
  noAccount: '¿Aún no tiene cuenta? Regístrese',
  askForAccount: '¿Aún no tiene cuenta? Pregunte al operador de este servicio.',
  askForPassword: '¿Ha olvidado su contraseña? Pregunte al operador de este servicio.',
  askForBoth:
    '¿Aún no tiene cuenta, o ha olvidado su contraseña? Pregunte al operador de este servicio.',
  ended: 'Inicie sesión de nuevo',
  endedLead:
    'Su sesión ha terminado. La página queda como está; no se pierde nada de lo que ha escrito.',
  passkey: 'Iniciar sesión con una llave de acceso',
  wrongPasskey: 'No se ha aceptado esta llave de acceso.',
  secondTitle: 'Un paso más',
  secondStepApp:
    'Su contraseña es correcta. Introduzca ahora el código que muestra su aplicación de autenticación.',
  secondStepPasskey:
    'Su contraseña es correcta. Confirme ahora con su llave de acceso o un código de recuperación.',
  usePasskey: 'Usar una llave de acceso',
  code: 'Código',
  codeHint: 'Los seis dígitos de su aplicación de autenticación o un código de recuperación',
  recoveryCode: 'Código de recuperación',
  recoveryHint: 'Si no tiene a mano su llave de acceso',
  confirm: 'Continuar',
  startAgain: 'Empezar de nuevo',
  wrongCode:
    'Este código es incorrecto o ya se ha utilizado, o no se ha aceptado la llave de acceso.',
  throttledCode: 'Demasiados intentos. Espere unos minutos o utilice un código de recuperación.',
  expired: 'Ha pasado demasiado tiempo. Empiece de nuevo.',
} satisfies Texts;
