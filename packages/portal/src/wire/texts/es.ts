import type { Texts } from './en.ts';

const es: Texts = {
  asking:
    'La conexión se cortó antes de que llegara la respuesta. Aún no se sabe si el cambio se hizo; se está preguntando al servidor.',
  carriedOut: 'El cambio se hizo. Solo se perdió la respuesta.',
  carriedOutUnseen:
    'El cambio se hizo, pero se perdió la respuesta. Si debía mostrar un secreto, como una clave, cree otro.',
  notCarriedOut: 'El cambio no llegó al servidor. No se cambió nada.',
  unknown: 'No se pudo averiguar si el cambio se hizo. Compruébelo antes de intentarlo de nuevo.',
};
export default es;
