import type { NewsTexts } from './news-texts.ts';

export const es: NewsTexts = {
  levels: { 1: 'aviso', 2: 'alarma', 3: 'emergencia' },
  says: { began: 'ha empezado', ended: 'ha terminado', both: 'empezó y terminó' },
  alarms: {
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
  },
  deviceAlarm: (code) => `Alarma ${code} del dispositivo`,
  at: (place) => `en ${place}`,
  device: (sn) => `Dispositivo ${sn}`,
  since: (time) => `desde ${time}`,
  fromTo: (from, to) => `de ${from} a ${to}`,
  several: (alarms, plants) => `${alarms} alarmas en ${plants} plantas`,
  more: (number) => `y ${number} más`,
  open: 'Abrir las alarmas',
  why: 'Recibe este mensaje porque los correos sobre alarmas están activados en su cuenta.',
  stop: 'Dejar de recibir estos correos',
  test: { title: 'Una prueba', body: 'Así serán las noticias de sus plantas.' },
  stopPage: {
    title: 'Correos sobre sus plantas',
    question: '¿Quiere dejar de recibir estos correos? Todo lo demás sigue igual.',
    button: 'Dejar de recibirlos',
    done: 'Ya no los recibirá. En el portal puede volver a activarlos.',
    unreadable: 'Este enlace no está completo. En el portal puede elegir qué se le comunica.',
  },
  weekly: {
    subject: (week) => `Su semana del ${week}`,
    summary: (kwh, change) => `Sus plantas produjeron ${kwh} kWh${change === undefined ? '' : `, ${change} respecto a la media de las semanas anteriores`}.`,
    produced: 'Producido',
    weekBefore: 'La semana anterior',
    average: 'Media de las cuatro semanas anteriores',
    bestDay: 'Mejor día',
    income: 'Ingresos',
    co2: 'CO₂ evitado',
    alarms: 'Alarmas que empezaron',
    quiet: 'No hay ninguna alarma abierta: no hay nada que hacer.',
    toDo: (number) => `Por hacer: ${number} abiertas`,
    open: 'Abrir sus plantas',
    why: 'Recibe este mensaje porque el resumen semanal está activado en su cuenta.',
    nothing: 'La semana pasada no se midió nada en sus plantas.',
    onlyFirst: (plants) => `Las cifras son las de sus primeras ${plants} plantas.`,
  },
};
