import type { Texts } from './en.ts';

const es: Texts = {
  title: 'Conectar un dispositivo',
  lead: 'Un pequeño programa en un equipo de la casa consulta los dispositivos e informa a esta planta. Nada de la casa tiene que ser accesible desde fuera.',
  have: '¿Qué tiene?',
  families: {
    solis: 'Solis, o un stick para SolisCloud',
    deye: 'Deye o Sunsynk',
    sofar: 'Sofar o ZCS Azzurro',
    sunspec: 'SunSpec: Fronius, SMA, SolarEdge, Kostal y otros',
    meter: 'Un contador',
    own: 'Un programa que informa por sí mismo',
  },
  first: {
    solis:
      'Los sticks con el puerto 8899 (S1, S2, DLS) no necesitan nada. Otros hablan Modbus en el puerto 502 solo con algunas versiones de firmware; una pasarela en el puerto RS485 funciona siempre. Muchos sticks admiten una sola conexión: entretanto, la nube del fabricante puede no mostrar nada.',
    deye: 'Los sticks WiFi escuchan en el puerto 8899; los de LAN, en el 8899 o el 502. El firmware nuevo cierra el puerto; en ese caso, use una pasarela en el puerto RS485.',
    sofar: 'Los sticks escuchan en el puerto 8899. Sin stick, use una pasarela en el puerto RS485.',
    sunspec:
      'Active Modbus TCP en la página web o en la pantalla del inversor. El control suele activarse allí por separado.',
    meter:
      'Contadores SunSpec: active Modbus TCP. Contadores inteligentes: conecte al equipo el cable del puerto P1 o el cabezal infrarrojo. Un Shelly no necesita nada.',
    own: 'Envía sus lecturas por HTTP con un token. El protocolo de los colectores describe cómo.',
  },
  createLead: 'Esto añade un colector a la planta.',
  createFile: 'Crear el archivo y el token',
  createToken: 'Crear el token',
  toDo: 'Qué hacer con ello',
  install:
    'Instale el programa helioport-collect en un equipo de la casa con Node 20 o posterior, como una Raspberry Pi.',
  saveBoth:
    'Guarde allí ambos archivos en una carpeta. Ponga en collect.yaml la dirección de su dispositivo.',
  token: 'Token',
  tokenFile: 'Guárdelo como archivo con el nombre «token».',
  once: 'El token solo se muestra ahora',
  onceLead: 'Quien lo tenga puede informar en nombre de esta planta. Si se pierde, cree otro aquí.',
  unknownAddress:
    'Si no conoce la dirección: esta orden busca los dispositivos de la casa y escribe collect.yaml por su cuenta.',
  search: 'Buscar dispositivos',
  start: 'Iniciarlo',
  gateway: 'Dirección para los informes',
  serial: 'Número de serie del colector',
  thenBind:
    'Lo que encuentre aparece en unos minutos en los ajustes de la planta, para vincularlo.',
  toDevices: 'A los dispositivos de la planta',
  file: {
    address: 'dirección del stick, del inversor, del contador o de la pasarela',
    others: 'otras vías:',
    control: 'sin la línea siguiente no se escribe nada en el dispositivo',
  },
};
export default es;
