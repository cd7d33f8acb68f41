import { exampleValues } from '../../example-values.ts';
import { exampleInverter } from '../../examples.ts';
import {
  controlAnswer,
  logInAnswer,
  meterReadAnswer,
  readAnswer,
  readBatchAnswer,
  resultAnswer,
} from '../../compat/control.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { code, id, listInput, textInput } from '../../scalars.ts';

// Existing clients call these under the second prefix. interface W2
const common = {
  family: 'control',
  permission: 'control',
  doors: ['signed', 'oauth', 'portal'],
  scope: 'control_device',
} as const;

/** The parameters that name one inverter, and others that clients send along with them. */
const inverter = {
  sn: meaning('serial number of the inverter', textInput(64, 'inverterSn')),
  id: meaning('id of the inverter', id('inverterId')),
  language: meaning('ignored: messages are in English', textInput(20, 'language')),
  nmiCode: meaning(
    'accepted but ignored: the inverter is named by its serial number or id',
    textInput(32, 'nmiCode', 'nmicode'),
  ),
};

const EXAMPLE_AT = 1_793_963_100_000;
const order = { at: EXAMPLE_AT, id: '1793963100000000002' };
const example = { inverterSn: exampleInverter.sn };
const parameter = required(
  meaning('the parameter: its number for the model of the inverter', code(20, 'cid')),
);
const LIMIT = 'Answers within eight seconds.';

export const controlOperation = defineOperation({
  ...common,
  id: 'control',
  write: true,
  summary: 'Sets a parameter of one or several inverters.',
  description:
    `${LIMIT} An item has \`code\` 0 once its device has confirmed the value. A write that has not been sent by then is cancelled, and its item says so. ` +
    'A write that has been sent is verified by reading back; ask `result` for its outcome. A value that the device already has is not written again. ' +
    'If one of the inverters is not the caller’s, or does not accept the value, nothing is sent to any of them.',
  request: {
    serialNumbers: meaning('serial numbers of the inverters', listInput(100, 'inverterSn')),
    ids: meaning('ids of the inverters', listInput(100, 'inverterId')),
    parameter,
    value: required(meaning('the new value', textInput(1000, 'value'))),
    oldValue: meaning(
      'the current value, as `atRead` returned it in `yuanzhi`; must be given for parameters that are single bits',
      textInput(1000, 'yuanzhi'),
    ),
    language: inverter.language,
    nmiCode: inverter.nmiCode,
  },
  needsOneOf: ['serialNumbers', 'ids'],
  response: controlAnswer,
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceUnknown',
    'deviceOffline',
    'oldValueMissing',
    'controlStopped',
    'tooManyWrites',
    'tooManyRequests',
  ],
  example: {
    request: { ...example, cid: '157', value: '20' },
    data: controlAnswer.project({
      at: EXAMPLE_AT,
      items: [{ sn: exampleInverter.sn, order, state: 'confirmed', reason: null }],
    }),
  },
});

export const atRead = defineOperation({
  ...common,
  id: 'atRead',
  write: false,
  summary: 'Reads a parameter from an inverter.',
  description: `${LIMIT} If the device has not answered by then, \`needLoop\` is "true": ask \`result\` for the order.`,
  request: { ...inverter, parameter },
  needsOneOf: ['sn', 'id'],
  response: readAnswer,
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceUnknown',
    'deviceOffline',
    'noAnswer',
    'tooManyRequests',
  ],
  example: {
    request: { ...example, cid: '157' },
    data: readAnswer.project({ at: EXAMPLE_AT, order, read: { value: '20', raw: '20' } }),
  },
});

export const atReadBatch = defineOperation({
  ...common,
  id: 'atReadBatch',
  write: false,
  summary: 'Reads several parameters from an inverter.',
  description: `${LIMIT} A parameter that the device has not answered by then has a \`code\` and an empty \`msg\`.`,
  request: { ...inverter, parameters: required(meaning('the parameters', listInput(50, 'cids'))) },
  needsOneOf: ['sn', 'id'],
  response: readBatchAnswer,
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceUnknown',
    'deviceOffline',
    'tooManyRequests',
  ],
  example: {
    request: { ...example, cids: '157,158' },
    data: readBatchAnswer.project({
      at: EXAMPLE_AT,
      items: [
        { parameter: '157', read: { value: '20', raw: '20' } },
        { parameter: '158', read: { value: '10', raw: '10' } },
      ],
    }),
  },
});

export const atReadSAPN = defineOperation({
  ...common,
  id: 'atReadSAPN',
  write: false,
  summary: 'Reads parameters from the inverters of an Australian plant, which its meter id names.',
  description: `${LIMIT} Without \`inverterSn\` and \`inverterId\`, all inverters of the plant are read; with them, those, which must then be in that plant.`,
  request: {
    nmiCode: meaning('meter id of the plant', textInput(32, 'nmiCode', 'nmicode')),
    serialNumbers: meaning('serial numbers of the inverters', listInput(100, 'inverterSn', 'sn')),
    ids: meaning('ids of the inverters', listInput(100, 'inverterId')),
    parameters: required(meaning('the parameters', listInput(10, 'cid', 'cids'))),
    language: inverter.language,
  },
  needsOneOf: ['nmiCode', 'serialNumbers', 'ids'],
  response: meterReadAnswer,
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceUnknown',
    'deviceOffline',
    'tooManyRequests',
  ],
  example: {
    request: { inverterSn: exampleInverter.sn, cid: '15' },
    data: meterReadAnswer.project({
      at: EXAMPLE_AT,
      items: [
        {
          nmiCode: '61026012345',
          sn: exampleInverter.sn,
          parameter: '15',
          read: { value: '100', raw: '100' },
          offline: false,
          sentAt: EXAMPLE_AT - 2_000,
        },
      ],
    }),
  },
});

export const login = defineOperation({
  family: 'control',
  permission: 'control',
  doors: ['signed'],
  id: 'login',
  write: false,
  summary:
    'Checks e-mail address and password of the key’s account, as existing control clients do before they control.',
  description:
    'The password is sent as its MD5. The answer’s `csrfToken`, which stands beside `data` too, is what such clients send as the header `token` from then on. The ' +
    'signature alone says who calls: no operation needs a log-in, and the header has no effect. An account whose password was last set while ' +
    '`HELIOPORT_LEGACY_LOGIN` was off cannot log in this way.',
  request: {
    email: required(
      meaning(
        'e-mail address of the account to which the key belongs',
        textInput(254, 'userInfo', 'username'),
      ),
    ),
    digest: required(
      meaning('MD5 of the password, in hexadecimal', textInput(100, 'passWord', 'password')),
    ),
  },
  response: logInAnswer,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'wrongLogin', 'tooManyRequests'],
  example: {
    request: { userInfo: exampleValues.email, passWord: exampleValues.passwordDigest },
    data: logInAnswer.project({ token: 'k8vQ2nYx7LmR3fBzT5cW1hJdP9sXaE4u' }),
  },
});

export const result = defineOperation({
  ...common,
  id: 'result',
  write: false,
  summary: 'Returns the outcome of an order of `control` or `atRead`.',
  description: '`data` is null until the device has answered.',
  request: {
    order: required(meaning('the order, or only the id of its command', textInput(40, 'orderId'))),
  },
  response: resultAnswer,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'deviceUnknown', 'noAnswer'],
  example: {
    request: { orderId: exampleValues.orderId },
    data: resultAnswer.project({ at: EXAMPLE_AT, order, outcome: { value: '20', raw: '20' } }),
  },
});
