import { EXAMPLE_COMMAND_ID, exampleInverter, examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import type { CommandRecord, WriteByOthers } from '../../records/index.ts';
import { code, flag, id, integer, textInput } from '../../scalars.ts';

const common = {
  family: 'control',
  permission: 'control',
  doors: ['signed', 'portal', 'operator'],
  own: true,
} as const;

const sn = required(meaning('serial number of the inverter', textInput(64, 'sn')));
/** Of what shows commands and changes none. */
const shown = {
  ...common,
  permission: 'read',
  doors: ['signed', 'portal', 'support', 'operator'],
} as const;

const commandId = required(meaning('id of the command', id('id')));

const properties = {
  id: an.text('id of the command'),
  sn: an.text('serial number of the device'),
  action: an.text('read or write'),
  parameter: an.text('the parameter: its number for the model of the inverter'),
  name: an.text('name of the parameter'),
  state: an.text(
    'queued, sent, confirmed by the device, verified by reading back; or failed, refused, expired, cancelled, superseded',
  ),
  reason: an.text('why it did not succeed'),
  oldValue: an.text('the value before the write'),
  newValue: an.text('the value to write'),
  readValue: an.text('the value that was last read from the device'),
  by: an.text('who requested it'),
  byEmail: an.text(
    'e-mail address of who requested it, for the owner of the plant and members of the same company',
  ),
  door: an.text(
    'the door through which it was requested: signed, oauth, portal or operator; service if it restores a setting',
  ),
  queuedAt: an.instant('when it was requested'),
  expiresAt: an.instant('until when it may be sent'),
  sentAt: an.instant('when it was sent to the device'),
  confirmedAt: an.instant('when the device confirmed it'),
  endedAt: an.instant('when it ended'),
  undoes: an.text('id of the command that it undoes'),
  strategyId: an.text(
    'id of the strategy whose own step it is: it applies the strategy to the device, or gives a former setting back',
  ),
};
const record = ownRecord<CommandRecord>('the command', properties);
const records = ownRecords<CommandRecord>('a command', properties);

const exampleCommand: CommandRecord = {
  id: EXAMPLE_COMMAND_ID,
  sn: exampleInverter.sn,
  action: 'write',
  parameter: '157',
  name: 'Battery reserve SOC',
  state: 'queued',
  reason: null,
  oldValue: null,
  newValue: '20',
  readValue: null,
  by: 'operator',
  door: 'operator',
  queuedAt: 1_793_963_100_000,
  expiresAt: 1_793_963_400_000,
  sentAt: null,
  confirmedAt: null,
  endedAt: null,
  undoes: null,
  strategyId: null,
};

const refusals = ['missingParameter', 'invalidValue', 'noPermission'] as const;
const refusedWrites = [
  ...refusals,
  'deviceUnknown',
  'deviceOffline',
  'oldValueMissing',
  'controlStopped',
  'tooManyWrites',
  'tooManyRequests',
] as const;

export const commandSend = defineOperation({
  ...common,
  id: 'command/send',
  write: true,
  summary: 'Sets a parameter of an inverter, without waiting for it.',
  request: {
    sn,
    parameter: required(
      meaning(
        'the parameter: its number for the model of the inverter',
        code(20, 'cid', 'parameter'),
      ),
    ),
    value: required(meaning('the new value', textInput(1000, 'value'))),
    oldValue: meaning(
      'the current value, which must be given for parameters that are single bits',
      textInput(1000, 'oldValue'),
    ),
    expirySeconds: meaning(
      'how long it may wait before it is sent; by default, 300 seconds',
      integer({ min: 10, max: 86_400 }, 'expirySeconds'),
    ),
  },
  response: record,
  errors: refusedWrites,
  example: {
    request: { sn: exampleInverter.sn, cid: '157', value: '20' },
    data: record.project(exampleCommand),
  },
});

export const commandList = defineOperation({
  ...shown,
  id: 'command/list',
  write: false,
  summary: 'Lists the commands that an inverter has been given in its current plant, newest first.',
  request: {
    sn,
    before: meaning('only commands older than the one with this id', id('before')),
    limit: meaning(
      'maximum number of commands; 100 by default',
      integer({ min: 1, max: 1000 }, 'limit'),
    ),
    reads: meaning('1: also commands that only read, which are kept for a day', flag('reads')),
  },
  response: records,
  errors: refusals,
  example: { request: { sn: exampleInverter.sn }, data: records.project([exampleCommand]) },
});

export const commandShow = defineOperation({
  ...shown,
  id: 'command/show',
  write: false,
  summary: 'Shows how far a command has come.',
  request: { id: commandId },
  response: record,
  errors: refusals,
  example: { request: { id: exampleCommand.id }, data: record.project(exampleCommand) },
});

export const commandCancel = defineOperation({
  ...common,
  id: 'command/cancel',
  write: true,
  summary: 'Cancels a command whose write has not been sent yet.',
  request: { id: commandId },
  response: nothing,
  errors: refusals,
  example: { request: { id: exampleCommand.id }, data: null },
});

export const commandUndo = defineOperation({
  ...common,
  id: 'command/undo',
  write: true,
  summary: 'Undoes the last change of a parameter of an inverter that was no step of a strategy.',
  request: {
    sn,
    parameter: meaning(
      'which parameter; by default, the one that was changed last',
      code(20, 'cid', 'parameter'),
    ),
  },
  response: record,
  errors: refusedWrites,
  example: {
    request: { sn: exampleInverter.sn },
    data: record.project({ ...exampleCommand, newValue: '30', undoes: '1793963000000000001' }),
  },
});

const writesByOthers = ownRecords<WriteByOthers>('a write', {
  ...properties,
  plantId: an.text('id of the plant'),
  seen: an.flag('whether it was marked as seen'),
});

export const commandByOthers = defineOperation({
  ...common,
  permission: 'manage',
  id: 'command/byOthers',
  write: false,
  summary:
    'Lists the writes to devices in the caller’s plants that somebody else requested, newest first.',
  description:
    'Somebody else is everybody but the plant’s owner: people with a share, applications, the operator. A key pair of the owner counts as the owner.',
  request: {
    plantId: meaning('only writes to devices in this plant', id('plantId')),
    unseen: meaning('1: only writes that were not marked as seen', flag('unseen')),
    before: meaning('only commands older than the one with this id', id('before')),
    limit: meaning(
      'maximum number of commands; 100 by default',
      integer({ min: 1, max: 1000 }, 'limit'),
    ),
  },
  response: writesByOthers,
  errors: ['invalidValue', 'noPermission'],
  example: {
    request: { unseen: 1 },
    data: writesByOthers.project([{ ...exampleCommand, plantId: examplePlant.id, seen: false }]),
  },
});

export const commandSeen = defineOperation({
  ...common,
  permission: 'manage',
  id: 'command/seen',
  write: true,
  summary: 'Marks a write to a plant, and all earlier ones, as seen by its owner.',
  request: { id: commandId },
  response: nothing,
  errors: refusals,
  example: { request: { id: exampleCommand.id }, data: null },
});

const plantId = required(meaning('id of the plant', id('plantId')));

export const controlStop = defineOperation({
  ...common,
  permission: 'manage',
  id: 'control/stop',
  write: true,
  summary:
    'Stops writes to the devices of a plant by everybody but its owner and the operator, until they are released.',
  description: 'Writes that others have requested, but that have not been sent yet, are refused.',
  request: { plantId },
  response: nothing,
  errors: refusals,
  example: { request: { plantId: examplePlant.id }, data: null },
});

export const controlRelease = defineOperation({
  ...common,
  permission: 'manage',
  id: 'control/release',
  write: true,
  summary: 'Lets others write to the devices of a plant again.',
  request: { plantId },
  response: nothing,
  errors: refusals,
  example: { request: { plantId: examplePlant.id }, data: null },
});
