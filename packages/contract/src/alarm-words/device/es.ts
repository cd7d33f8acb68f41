import type { DeviceMatter } from './en.ts';

export const deviceAdvice: Readonly<Record<DeviceMatter, string>> = {
  grid: 'Si dura más que un corte de luz en su calle, compruebe el automático del inversor. Si no es esa la causa, llame a su instalador. Para el instalador: compruebe la tensión y la frecuencia en los bornes y la norma de red ajustada.',
  insulation:
    'No toque los módulos ni sus cables y llame a su instalador. Para el instalador: desconecte y mida el aislamiento de cada cadena y la corriente de fuga.',
  arc: 'Desconecte el interruptor de CC del inversor y llame a su instalador: un arco puede provocar un incendio. Para el instalador: compruebe los conectores y bornes de las cadenas.',
  heat: 'Compruebe si da el sol en la carcasa o si algo tapa las entradas de aire. Si continúa, llame a su instalador. Para el instalador: compruebe el ventilador y las distancias a las paredes.',
  battery:
    'Compruebe si la batería está encendida. Si lo está, llame a su instalador. Para el instalador: compruebe su interruptor, sus cables y lo que muestra su gestión.',
  meter:
    'Si continúa, llame a su instalador: sin su contador, el inversor no sabe qué consume la casa. Para el instalador: compruebe el cable al contador, su dirección y el tipo ajustado.',
  fan: 'Compruebe si algo bloquea el ventilador. Si no, llame a su instalador para que lo cambie.',
  clock:
    'Las horas a las que debe ocurrir algo no son correctas. Ponga en hora el dispositivo, o deje que lo haga el colector con «control: true».',
  sign: 'Puede que importación y exportación, o carga y descarga, se muestren al revés. Para el instalador: compruebe cómo está montado el contador o su pinza.',
  reverted:
    'El dispositivo no ha conservado un ajuste. Mire si otro programa, como la nube del fabricante, lo cambia, o si el dispositivo lo permite en su modo actual.',
};
