import type { EpmRecord } from '../records/index.ts';
import { energyOf } from './field-kinds/derived.ts';
import { deviceWireFields, reportedLocally } from './device.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { numbered, recordOf } from './field-kinds/record.ts';
import { plantNumber } from './shared.ts';

const f = fieldsOf<EpmRecord>();

const boughtKwh = (r: EpmRecord) =>
  energyOf('gridImport', 'totalKwh')(r) ?? r.values.gridImportTotalKwh;
const soldKwh = (r: EpmRecord) =>
  energyOf('gridExport', 'totalKwh')(r) ?? r.values.gridExportTotalKwh;
const consumedKwh = (r: EpmRecord) => energyOf('load', 'totalKwh')(r) ?? r.values.loadTotalKwh;
const producedKwh = (r: EpmRecord) =>
  energyOf('production', 'totalKwh')(r) ?? r.values.energyTotalKwh;

const common = [
  f.flag('failSafe', (r) => r.facts.failSafe, 'whether the fail-safe function is on'),
  f.energy('eTotalBuy', boughtKwh, 'all energy bought'),
  f.energy('eTotalSell', soldKwh, 'all energy sold'),
  f.number('pLimit', (r) => r.facts.exportLimitW, 'maximum power that may be fed in', 'W'),
] as const;

/** An EPM unit in `epmList`. */
export const epmListed = recordOf<EpmRecord>()('an EPM unit in a list', [
  ...deviceWireFields<EpmRecord>({ inParentheses: true }),
  ...common,
  f.text('idStr', (r) => r.id, 'id of the device'),
  f.power('pEpmTotal', 'gridPowerW', 'power at the grid connection, + export, - import'),
]);

/** An EPM unit in `epmDetail`. */
export const epmDetailed = recordOf<EpmRecord>()('an EPM unit', [
  ...deviceWireFields<EpmRecord>(),
  ...common,
  f.text('tag', (r) => r.facts.tag, 'tag'),
  f.text('epmModel', (r) => r.model, 'model'),
  f.text('epmDataTime', reportedLocally, 'time of the last reading on the plant’s clock'),
  plantNumber<EpmRecord>(),
  f.number(
    'synchronizationType',
    (r) => r.plant.facts?.feedIn,
    '0 full feed-in, 1 self-use, 2 off-grid',
  ),
  f.number('stationType', (r) => r.plant.type, 'kind of plant'),
  f.number('stationTypeNew', (r) => r.plant.type, 'kind of plant'),
  f.powerPec('pEpmTotal', 'gridPowerW', 'power at the grid connection, + export, - import'),
  f.power('pInverterTotal', 'acPowerW', 'power of all inverters'),
  f.power('pLoad', 'loadPowerW', 'power of the loads'),
  f.power('pSet', (r) => r.facts.exportLimitW, 'maximum power that may be fed in'),
  f.number(
    'pEpmTotalOrigin',
    'gridPowerW',
    'power at the grid connection, + export, - import',
    'W',
  ),
  f.number('pInverterTotalOrigin', 'acPowerW', 'power of all inverters', 'W'),
  f.number('pLoadOrigin', 'loadPowerW', 'power of the loads', 'W'),
  f.number('pSetOrigin', (r) => r.facts.exportLimitW, 'maximum power that may be fed in', 'W'),
  ...numbered(3, (i) => f.measured(`uAc${i}`, `acVoltage${i}V`, 'V', `voltage of phase ${i}`)),
  ...numbered(3, (i) => f.measured(`iAc${i}`, `acCurrent${i}A`, 'A', `current of phase ${i}`)),
  ...numbered(3, (i) => f.measured(`pAc${i}`, `acPower${i}W`, 'W', `power of phase ${i}`)),
  f.number('powerFactor', 'powerFactor', 'power factor'),
  f.number('facMeter', 'gridFrequencyHz', 'grid frequency', 'Hz'),
  f.number('ctRatio', (r) => r.facts.currentTransformerRatio, 'ratio of the current transformers'),
  f.number('inverterNum', (r) => r.facts.inverterCount, 'number of inverters'),
  f.energy('eToaalInverter', producedKwh, 'all energy of the inverters'),
  f.energy('eTotalLoad', consumedKwh, 'all energy consumed'),
  f.number('eToaalInverterOrigin', producedKwh, 'all energy of the inverters', 'kWh'),
  f.number('eTotalLoadOrigin', consumedKwh, 'all energy consumed', 'kWh'),
  f.number('eTotalBuyOrigin', boughtKwh, 'all energy bought', 'kWh'),
  f.number('eTotalSellOrigin', soldKwh, 'all energy sold', 'kWh'),
]);
