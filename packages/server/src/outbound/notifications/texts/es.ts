import { deviceAdvice } from '@helioport/contract/alarm-words/device/es';
import { alarmWords } from '@helioport/contract/alarm-words/es';
import type { NotificationTexts } from './notification-texts.ts';

export const es: NotificationTexts = {
  levels: { 1: 'aviso', 2: 'alarma', 3: 'emergencia' },
  says: { began: 'ha empezado', ended: 'ha terminado', both: 'empezó y terminó' },
  alarms: alarmWords,
  deviceAdvice,
  deviceAlarm: (code) => `Alarma ${code} del dispositivo`,
  at: (place) => `en ${place}`,
  device: (sn) => `Dispositivo ${sn}`,
  lost: (what) => `Perdido hasta ahora: ${what}`,
  since: (time) => `desde el ${time}`,
  fromTo: (from, to) => `del ${from} al ${to}`,
  several: (alarms, plants) =>
    plants === '1' ? `${alarms} alarmas en 1 planta` : `${alarms} alarmas en ${plants} plantas`,
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
  ended: {
    one: (plant) => `Su acceso a «${plant}» ha terminado`,
    several: (plants) => `Su acceso a ${plants} plantas ha terminado`,
    lead: 'Lo terminó el propietario, su empresa o un cambio de propietario. Si aún lo necesita, pida al propietario que le invite de nuevo.',
    open: 'Abrir sus plantas',
    why: 'Recibe este mensaje porque tenía acceso. No tiene que hacer nada.',
  },
  changes: {
    heading: (number) => `Ajustes de sus dispositivos cambiados por otros: ${number}`,
    lead: 'Quién ha escrito cuántas veces en dispositivos de qué planta desde el último correo como este. La página de cada dispositivo muestra qué se cambió y permite deshacerlo.',
    operator: 'El operador',
    service: 'Este servicio, para restaurar ajustes',
    unknown: 'Una cuenta que ya no existe',
    open: 'Abrir sus plantas',
    why: 'Recibe este mensaje porque en su cuenta están activados los correos sobre cambios hechos por otros.',
  },
  weekly: {
    subject: (week) => `Su semana del ${week}`,
    summary: (kwh, change) =>
      `Sus plantas produjeron ${kwh} kWh${change === undefined ? '' : `, ${change} respecto a la media de las semanas anteriores`}.`,
    produced: 'Producción',
    weekBefore: 'La semana anterior',
    average: 'Media de las semanas anteriores',
    bestDay: 'Mejor día',
    worth: 'Ahorrado + vendido',
    co2: 'CO₂ evitado',
    alarms: 'Alarmas nuevas',
    quiet: 'No hay ninguna alarma abierta: no hay nada que hacer.',
    toDo: (number) => `Por hacer (alarmas abiertas): ${number}`,
    open: 'Abrir sus plantas',
    why: 'Recibe este mensaje porque el resumen semanal está activado en su cuenta.',
    nothing: 'Esa semana no se midió nada en sus plantas.',
    lost: (kwh, cause, causeKwh, plant) =>
      `Pérdidas conocidas: ${kwh}. La causa principal fue «${cause}» con ${causeKwh}, sobre todo en ${plant}.`,
    onlyFirst: (plants) => `Las cifras son las de sus primeras ${plants} plantas.`,
  },
};
