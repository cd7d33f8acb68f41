import type { alarmWords as english, AlarmWords } from './en.ts';

export const alarmWords: Readonly<Record<keyof typeof english, AlarmWords>> = {
  H101: {
    title: 'El dispositivo no informa',
    advice: 'Compruebe la alimentación, el colector y su red.',
  },
  H102: {
    title: 'Sin producción de día',
    advice: 'Compruebe el interruptor de CC, los fusibles y la pantalla del inversor; la nieve sobre los módulos tiene el mismo efecto.',
  },
  H103: {
    title: 'String muy por debajo de los demás',
    advice: 'Compruebe el fusible, los conectores y los módulos del string, y busque sombras a mediodía.',
    adviceAtNothing:
      'Un string que no entrega nada está interrumpido, no a la sombra: mida su tensión. Con 0 V, compruebe el fusible, el seccionador y los conectores; con tensión, la entrada del inversor.',
  },
  H104: {
    title: 'Tensión de red fuera de rango',
    advice: 'Si persiste, pregunte a la distribuidora; compruebe la longitud y la sección del cable entre el inversor y el contador.',
  },
  H105: {
    title: 'Frecuencia de red fuera de rango',
    advice: 'En una red pública no hay nada que hacer; en una red aislada, compruebe el generador y el inversor de batería.',
  },
  H106: {
    title: 'Dispositivo demasiado caliente',
    advice: 'Compruebe el ventilador y las entradas de aire, y si el sol da en la carcasa; el inversor reduce su potencia por sí mismo.',
  },
  H107: {
    title: 'Batería demasiado caliente',
    advice: 'Deje de cargarla, aléjese de ella y llame a su instalador.',
  },
  H108: {
    title: 'Huecos en la comunicación',
    advice: 'Compruebe la señal de radio y la red del colector.',
  },
  H109: {
    title: 'Los valores no cambian',
    advice: 'Los valores mostrados son antiguos: reinicie el colector y compruebe el cable entre este y el dispositivo.',
  },
};
