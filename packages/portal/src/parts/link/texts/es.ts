import type { Texts } from './en.ts';

const es: Texts = {
  via: {
    tcp: 'Modbus TCP',
    rtu: 'Modbus RTU sobre TCP',
    serial: 'Línea serie',
    v5: 'Stick (V5)',
    push: 'Stick que informa por sí mismo',
    p1: 'P1',
    sml: 'SML',
    shelly: 'Shelly',
    fronius: 'Fronius Solar API',
    victron: 'Victron',
  },
  unit: (unit) => `unidad ${unit}`,
  stick: (serial) => `stick ${serial}`,
  readOnly: 'solo lectura',
  title: 'Conexión en la casa',
  states: {
    answering: 'Responde',
    dark: 'A oscuras: calla porque no hay luz',
    silent: 'En silencio: no responde',
  },
  readOnlyLead:
    'No se escribe nada en él. Para cambiar sus ajustes desde aquí, escriba «control: true» en el dispositivo, en collect.yaml.',
  counters: 'Desde que se inició el colector',
  timeouts: 'Respuestas tardías',
  strays: 'Respuestas sin pregunta',
  reconnects: 'Reconexiones',
  droppedValues: 'Valores imposibles descartados',
  collectorAway:
    'El colector está sin conexión; esto es lo último que dijo. ¿Está encendido su equipo y se ejecuta en él helioport-collect?',
  doAbout: 'Qué hacer',
  generalSteps: [
    '¿Tiene corriente y está conectado? Reinicie una vez el dispositivo o su stick.',
    'En el equipo del colector, «helioport-collect status» dice por qué calla.',
  ],
  steps: {
    tcp: [
      '¿Ha cambiado su dirección? Déle una fija en el router; «helioport-collect discover» lo encuentra.',
      'Muchos admiten una sola conexión: cierre otros programas, o escriba «share: true» en el dispositivo.',
      'Algunas actualizaciones de los sticks cierran el puerto. Sirve una pasarela en el puerto RS485, o que el stick informe por sí mismo.',
    ],
    rtu: [
      '¿Están los dos hilos de la línea RS485 en el orden correcto, a 9600 baudios?',
      'Dos programas en una línea se estorban: desconecte el otro.',
      'Un número de unidad equivocado no recibe respuesta: lo muestra el menú del dispositivo.',
    ],
    serial: [
      '¿Está enchufado el adaptador, con el mismo nombre que en collect.yaml?',
      '¿Están los dos hilos de la línea RS485 en el orden correcto, y no pregunta nadie más en ella?',
      'Un número de unidad equivocado no recibe respuesta: lo muestra el menú del dispositivo.',
    ],
    v5: [
      '¿Ha cambiado la dirección del stick? Déle una fija en el router.',
      '¿Se cambió el stick? En collect.yaml tiene que estar el número de serie nuevo.',
      'Algunas actualizaciones cierran el puerto 8899. Haga entonces que el stick informe por sí mismo, o use una pasarela en el puerto RS485.',
    ],
    push: [
      '¿Sigue la dirección del equipo del colector, con el puerto 10000, como segundo servidor del stick?',
      '¿Ha cambiado la dirección de ese equipo? Déle una fija en el router.',
    ],
  },
};
export default es;
