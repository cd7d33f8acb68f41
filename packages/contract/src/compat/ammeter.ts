import type { AmmeterRecord } from '../records/index.ts';
import { energyOf } from './field-kinds/derived.ts';
import { deviceWireFields } from './device.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { recordOf } from './field-kinds/record.ts';
import { plantNumber, presenceCodes } from './shared.ts';

const f = fieldsOf<AmmeterRecord>();

const common = [
  ...deviceWireFields<AmmeterRecord>(),
  f.text('ammeterId', (r) => r.id, 'id of the ammeter'),
  f.text('collectorName', (r) => r.collector?.name, 'name of the collector'),
  f.choice('collectorState', (r) => r.collector?.state, presenceCodes, 'state of the collector'),
  f.text('currentTransformer', (r) => r.facts.currentTransformer, 'current transformer'),
  f.powerPec('psum', 'gridPowerW', 'power at the meter, + export, - import'),
  f.energyKwh('eTodayPositiveActive', energyOf('gridImport', 'todayKwh'), 'energy bought today'),
  f.energyKwh('eTodayReverseActive', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
  f.energy('eTotalPositiveActive', energyOf('gridImport', 'totalKwh'), 'all energy bought'),
  f.energy('eTotalReverseActive', energyOf('gridExport', 'totalKwh'), 'all energy sold'),
] as const;

/** An ammeter in `ammeterList`. */
export const ammeterListed = recordOf<AmmeterRecord>()('an ammeter in a list', common);

/** An ammeter in `ammeterDetail`. */
export const ammeterDetailed = recordOf<AmmeterRecord>()('an ammeter', [
  ...common,
  f.number(
    'electricMeter',
    (r) => (r.facts.phases === 1 ? 0 : r.facts.phases === 3 ? 1 : undefined),
    '0 single-phase, 1 three-phase',
  ),
  f.text('electricMeterProtocol', (r) => r.facts.protocol, 'protocol of the meter'),
  plantNumber<AmmeterRecord>(),
  f.number('stationType', (r) => r.plant.type, 'kind of plant'),
  f.measured('uA', 'acVoltage1V', 'V', 'voltage of phase A'),
  f.measured('uB', 'acVoltage2V', 'V', 'voltage of phase B'),
  f.measured('uC', 'acVoltage3V', 'V', 'voltage of phase C'),
  f.measured('iA', 'acCurrent1A', 'A', 'current of phase A'),
  f.measured('iB', 'acCurrent2A', 'A', 'current of phase B'),
  f.measured('iC', 'acCurrent3A', 'A', 'current of phase C'),
  f.number('pA', 'acPower1W', 'power of phase A', 'W'),
  f.number('pB', 'acPower2W', 'power of phase B', 'W'),
  f.number('pC', 'acPower3W', 'power of phase C', 'W'),
  f.number('aReactivePower', 'acReactivePower1Var', 'reactive power of phase A', 'Var'),
  f.number('bReactivePower', 'acReactivePower2Var', 'reactive power of phase B', 'Var'),
  f.number('cReactivePower', 'acReactivePower3Var', 'reactive power of phase C', 'Var'),
  f.number('aLookedPower', 'acApparentPower1Va', 'apparent power of phase A', 'VA'),
  f.number('bLookedPower', 'acApparentPower2Va', 'apparent power of phase B', 'VA'),
  f.number('cLookedPower', 'acApparentPower3Va', 'apparent power of phase C', 'VA'),
  f.number('totalReactivePower', 'reactivePowerVar', 'reactive power', 'Var'),
  f.number('totalViewPower', 'apparentPowerVa', 'apparent power', 'VA'),
  f.number('fAc', 'gridFrequencyHz', 'grid frequency', 'Hz'),
  f.number('averagePowerFactor', 'powerFactor', 'power factor'),
  f.number('aphasePowerFactor', 'acPowerFactor1', 'power factor of phase A'),
  f.number('bphasePowerFactor', 'acPowerFactor2', 'power factor of phase B'),
  f.number('cphasePowerFactor', 'acPowerFactor3', 'power factor of phase C'),
  f.energy('eMonthPositiveActive', energyOf('gridImport', 'monthKwh'), 'energy bought this month'),
  f.energy('eMonthReverseActive', energyOf('gridExport', 'monthKwh'), 'energy sold this month'),
  f.energy('eYearPositiveActive', energyOf('gridImport', 'yearKwh'), 'energy bought this year'),
  f.energy('eYearReverseActive', energyOf('gridExport', 'yearKwh'), 'energy sold this year'),
]);
