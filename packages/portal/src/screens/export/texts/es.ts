import type { Texts } from './en.ts';

const es: Texts = {
  title: 'Sus datos',
  lead: 'Todo lo que tiene su cuenta, como archivo ZIP: plantas, dispositivos, precios, accesos, alarmas, órdenes, estrategias, el registro y todas las lecturas. Los pares de claves figuran sin sus secretos.',
  format: 'Lecturas como',
  csv: 'CSV, para hojas de cálculo',
  parquet: 'Parquet, para bases de datos',
  start: 'Preparar el archivo',
  underway: (percent) => `Se está escribiendo el archivo: ${percent}. Puede dejar esta página.`,
  ready: (size, until) => `Listo, ${size}. Se conserva hasta el ${until}.`,
  download: 'Descargar',
  cancel: 'Cancelar',
  remove: 'Borrar el archivo',
  again: 'Preparar otro borra este.',
  failed: 'No se pudo hacer.',
};
export default es;
