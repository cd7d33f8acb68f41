import type { Texts } from './en.ts';

const es: Texts = {
  title: 'Explorador',
  lead: 'Llama a cualquier operación de las peticiones firmadas en su nombre, sin par de claves, y muestra la petición firmada que haría lo mismo.',
  operation: 'Operación',
  find: 'Buscar por nombre o finalidad',
  found: (count) =>
    count === 0 ? 'Nada coincide.' : count === 1 ? '1 coincide.' : `${count} coinciden.`,
  writes: 'Cambia algo',
  required: 'obligatorio',
  unset: 'sin enviar',
  send: 'Enviar',
  warnTitle: 'Esto cambia algo',
  warnLead: 'Se ejecuta de inmediato, con sus plantas y dispositivos.',
  warnSend: 'Ejecutar',
  answer: 'Respuesta',
  took: (ms) => `en ${ms} ms`,
  unreachable: 'El servidor no responde. Inténtelo de nuevo en un momento.',
  cut: 'Solo se muestra el principio.',
  signed: 'Lo mismo como petición firmada',
  signedLead:
    'Péguelo en una terminal con curl y openssl, con su propio par de claves en lugar de las palabras en mayúsculas.',
  keys: 'Sus pares de claves',
  script: 'Comandos',
  stringToSign: 'Texto que se firma',
  stringLead:
    'Con el cuerpo de arriba y este Date. Las líneas terminan con un solo salto de línea; al final no hay ninguno.',
  copy: 'Copiar',
  copied: 'Copiado',
};
export default es;
