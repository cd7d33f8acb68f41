import type { alarmWords as english, AlarmWords } from './en.ts';

export const alarmWords: Readonly<Record<keyof typeof english, AlarmWords>> = {
  H101: {
    title: 'El dispositivo no envía datos',
    advice:
      'Mire si el dispositivo y su colector tienen corriente y si su internet funciona; [si no es eso, llame a su instalador. Para su instalador: ]compruebe su alimentación, el cable entre ellos y la red.',
  },
  H102: {
    title: 'Sin producción de día',
    advice:
      'Mire si la pantalla y el interruptor de CC del inversor están encendidos y si hay nieve sobre los módulos. [Si no es eso, llame a su instalador. Para su instalador: ]compruebe los fusibles y el lado de CC.',
  },
  H103: {
    title: 'String muy por debajo de los demás',
    titleMeasured: 'El string {0} da el {1} % de los demás',
    titleAtNothing: 'El string {0} no da nada',
    advice:
      'Un string es una de las filas de paneles. Busque sombras y suciedad; [si no las ve, llame a su instalador. Para su instalador: ]compruebe el fusible, los conectores y los módulos.',
    adviceAtNothing:
      'Un string es una de las filas de paneles, y esta no entrega nada. Mire si su seccionador está apagado en el inversor; [si no es eso, llame a su instalador. Para su instalador: ]mida la tensión. Con 0 V, compruebe el fusible, el seccionador y los conectores; con tensión, la entrada del inversor.',
  },
  H104: {
    title: 'Tensión de red fuera de rango',
    detail: 'Tensión de red: {0} V.',
    advice:
      '[Si persiste, llame a su instalador. Para su instalador: ]compruebe la longitud y la sección del cable entre el inversor y el contador, y pregunte a la distribuidora.',
  },
  H105: {
    title: 'Frecuencia de red fuera de rango',
    detail: 'Frecuencia de red: {0} Hz.',
    advice:
      'En una red pública no hay nada que hacer; en una red aislada, [llame a su instalador si persiste. Para su instalador: ]compruebe el generador y el inversor de batería.',
  },
  H106: {
    title: 'Dispositivo demasiado caliente',
    detail: 'Temperatura: {0} °C.',
    advice:
      'Mire si el sol da en la carcasa o si algo tapa las entradas de aire; el inversor reduce su potencia por sí mismo. [Si persiste, llame a su instalador. Para su instalador: ]compruebe el ventilador.',
  },
  H107: {
    title: 'Batería demasiado caliente',
    detail: 'Temperatura de la batería: {0} °C.',
    advice: 'Deje de cargarla, aléjese de ella [y llame a su instalador].',
  },
  H108: {
    title: 'Huecos en la comunicación',
    detail: 'En dos horas llegó el {0} % de las lecturas.',
    advice:
      'Mire si su internet funciona y si hay algo nuevo entre el router y el colector; [si no es eso, llame a su instalador. Para su instalador: ]compruebe la señal de radio y la red del colector.',
  },
  H109: {
    title: 'Los valores no cambian',
    advice:
      'Los valores mostrados son antiguos: reinicie el colector. [Si no sirve, llame a su instalador. Para su instalador: ]compruebe el cable entre el colector y el dispositivo.',
  },
};
