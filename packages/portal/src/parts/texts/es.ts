import type { Texts } from './en.ts';

export default {
  again: 'Volver a intentarlo',
  close: 'Cerrar',
  failed: 'No se ha podido cargar',
  noPermission: 'No existe, o usted no tiene acceso',
  unreachable: 'El servidor no responde en este momento',
  state: { online: 'En línea', offline: 'Sin conexión', alarm: 'Alarma' },
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  plant: {
    all: 'Todas las plantas',
    localTime: (time, zone) => `${time} en ${zone}`,
    lastReport: (ago) => `Último aviso ${ago}`,
  },
  table: {
    range: (from, to, total) => `${from}–${to} de ${total}`,
    previous: 'Página anterior',
    next: 'Página siguiente',
  },
  chart: {
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    whole: 'Mostrar todo',
    asTable: 'Como tabla',
    asChart: 'Como gráfico',
    csv: 'Descargar como CSV',
    time: 'Hora',
    hint: 'Arrastre sobre el gráfico para acercar.',
    summary: (title, from, to) => `${title}, de ${from} a ${to}`,
    series: 'Qué se muestra',
    clock: (zone) => `Horas de ${zone}`,
    nothing: 'No hay lecturas de este periodo',
  },
} satisfies Texts;
