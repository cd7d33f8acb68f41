import { exampleInverter, examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import type { Maybe } from '../../compat/field-kinds/field.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { id, textInput } from '../../scalars.ts';

const common = {
  family: 'control',
  permission: 'read',
  write: false,
  doors: ['signed', 'portal', 'support', 'operator'],
  own: true,
} as const;

/** The form of a parameter's values. */
export type ParameterForm =
  | 'number'
  | 'choice'
  | 'bits'
  | 'clock'
  | 'slot'
  | 'slots'
  | 'times'
  | 'text';

/** A value with a name: one of a choice, or a bit. */
export interface ParameterOption {
  readonly value: string;
  readonly name: string;
  /** Whether it may be written. */
  readonly settable: boolean;
  /** Whether at most one of the options so marked may be on. */
  readonly exclusive: boolean;
}

/** A parameter of a device. `min`, `max` and `step` are in `unit`; values are these times `scale`. */
export interface ParameterRecord {
  readonly parameter: string;
  readonly name: string;
  readonly form: ParameterForm;
  readonly writable: boolean;
  /** Why it cannot be written. */
  readonly reason: Maybe<string>;
  readonly unit: Maybe<string>;
  readonly min: Maybe<number>;
  readonly max: Maybe<number>;
  readonly step: Maybe<number>;
  readonly scale: Maybe<number>;
  readonly options: Maybe<readonly ParameterOption[]>;
  readonly needsOldValue: boolean;
  readonly canCutSupply: boolean;
  /** Only values up to this, in `unit`, can. */
  readonly cutsSupplyAtMost: Maybe<number>;
  /** Only values from this on, in `unit`, can. */
  readonly cutsSupplyAtLeast: Maybe<number>;
  /** Only options of this sum can when they are turned on, and of that one when they are turned off. */
  readonly cutsSupplyTurnedOn: Maybe<string>;
  readonly cutsSupplyTurnedOff: Maybe<string>;
  /** The parameter that has the option without which this one has no effect, and the value of that option. */
  readonly effectiveWith: Maybe<string>;
  readonly effectiveOption: Maybe<string>;
  readonly writesPerDay: number;
  /** Null: the device keeps it. */
  readonly holdSeconds: Maybe<number>;
  readonly note: Maybe<string>;
  /** The value that was last read from the device in its present plant; reads are kept for a day. */
  readonly value: Maybe<string>;
  /** What its registers held then: the old value for a write. */
  readonly raw: Maybe<string>;
  readonly readAt: Maybe<number>;
}

const records = ownRecords<ParameterRecord>('a parameter', {
  parameter: an.text('its number for the model of the inverter: `cid` in other requests'),
  name: an.text('its name'),
  form: an.text(
    'number, choice, bits (the sum of those that are on), clock (yyyy-MM-dd HH:mm:ss), slot (HH:mm-HH:mm), slots, or text',
  ),
  writable: an.flag('whether it can be written at all'),
  reason: an.text('why it cannot be written'),
  unit: an.text('the unit of min, max and step'),
  min: an.number('the lowest value'),
  max: an.number('the highest value'),
  step: an.number('values are the lowest one plus a multiple of this'),
  scale: an.number('a value in `unit` times this is what is written and read'),
  options: an.objects(
    'values with names: value, name, settable, exclusive (at most one of those so marked may be on)',
  ),
  needsOldValue: an.flag('whether a write needs the old value'),
  canCutSupply: an.flag('whether some value can stop production, or cut off the power of a house'),
  cutsSupplyAtMost: an.number('only values up to this, in `unit`, can'),
  cutsSupplyAtLeast: an.number('only values from this on, in `unit`, can'),
  cutsSupplyTurnedOn: an.text('the sum of the options that can when they are turned on'),
  cutsSupplyTurnedOff: an.text('the sum of the options that can when they are turned off'),
  effectiveWith: an.text(
    'number of the parameter that has the option without which this one has no effect',
  ),
  effectiveOption: an.text('value of that option'),
  writesPerDay: an.number(
    'how often it may be written within 24 hours; parameters that share a memory cell share this number too',
  ),
  holdSeconds: an.number(
    'for what the device forgets by itself: how long its collector repeats what is written, in seconds',
  ),
  note: an.text('a remark about it'),
  value: an.text('the value that was last read from the device'),
  raw: an.text('what its registers held then: the old value for a write'),
  readAt: an.instant('when it was read'),
});

const exampleParameter: ParameterRecord = {
  parameter: '157',
  name: 'state of charge kept for backup',
  form: 'number',
  writable: true,
  reason: null,
  unit: '%',
  min: 0,
  max: 100,
  step: 1,
  scale: 1,
  options: null,
  needsOldValue: false,
  canCutSupply: false,
  cutsSupplyAtMost: null,
  cutsSupplyAtLeast: null,
  cutsSupplyTurnedOn: null,
  cutsSupplyTurnedOff: null,
  effectiveWith: '636',
  effectiveOption: '16',
  writesPerDay: 24,
  holdSeconds: null,
  note: null,
  value: '30',
  raw: '30',
  readAt: 1_793_963_000_000,
};

export const commandParameters = defineOperation({
  ...common,
  id: 'command/parameters',
  summary:
    'Lists the parameters of an inverter: their names, which values they take, and the values that were last read.',
  description:
    'Parameters that other versions of the display’s firmware have are left out. Nothing is read from the device: `atReadBatch` does that.',
  request: { sn: required(meaning('serial number of the inverter', textInput(64, 'sn'))) },
  response: records,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { sn: exampleInverter.sn }, data: records.project([exampleParameter]) },
});

/** What a caller may do to the devices of a plant. */
export interface ControlState {
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  readonly mayManage: boolean;
  readonly stoppedAt: Maybe<number>;
}

const state = ownRecord<ControlState>('what the caller may do', {
  mayRead: an.flag('whether the caller may have parameters read from the devices of the plant'),
  mayWrite: an.flag('whether the caller may write to the devices of the plant now'),
  mayManage: an.flag('whether the caller may stop and release the writes of others'),
  stoppedAt: an.instant(
    'since when the writes of everybody but the owner and the operator have been stopped',
  ),
});

export const controlState = defineOperation({
  ...common,
  doors: ['signed', 'portal', 'support'],
  id: 'control/state',
  summary:
    'Says whether the caller may write to the devices of a plant, and whether its owner has stopped the writes of others.',
  request: { plantId: required(meaning('id of the plant', id('plantId'))) },
  response: state,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id },
    data: { mayRead: true, mayWrite: true, mayManage: true },
  },
});

/** An inverter whose power is limited, as far as is known. */
export interface PowerLimitRecord {
  readonly deviceId: string;
  readonly sn: string;
  readonly name: Maybe<string>;
  /** Of its rated power. */
  readonly percent: number;
  readonly readAt: number;
  readonly setAt: Maybe<number>;
  readonly by: Maybe<string>;
  readonly byEmail: Maybe<string>;
}

const powerLimits = ownRecords<PowerLimitRecord>('an inverter whose power is limited', {
  deviceId: an.text('id of the inverter'),
  sn: an.text('serial number'),
  name: an.text('name'),
  percent: an.number('to how many percent of its rated power it was limited when it was read last'),
  readAt: an.instant('when that was'),
  setAt: an.instant('when the limit was written; unknown: it was set at the device'),
  by: an.text('who wrote it: account:ID, key:ID, application:ID or operator'),
  byEmail: an.text('that person’s e-mail address, as far as the caller may know it'),
});

export const controlPowerLimits = defineOperation({
  ...common,
  doors: ['portal', 'support'],
  id: 'control/powerLimits',
  summary:
    'Lists the inverters of a plant whose power is limited by a setting, with who set it and when.',
  description:
    'What strategies limit is not listed, and what was never read or written from here is not known.',
  request: { plantId: required(meaning('id of the plant', id('plantId'))) },
  response: powerLimits,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id },
    data: [
      {
        deviceId: exampleInverter.id,
        sn: exampleInverter.sn,
        percent: 60,
        readAt: 1_793_963_000_000,
        setAt: 1_793_963_000_000,
        by: 'account:1300386381676644416',
      },
    ],
  },
});
