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
  demoLead: 'Esto es una demostración con plantas simuladas. Nada de lo que haga aquí conmuta equipos reales.',
  ended: 'Inicie sesión de nuevo',
  endedLead: 'Su sesión ha terminado. La página queda como está; no se pierde nada de lo que ha escrito.',
} satisfies Texts;
