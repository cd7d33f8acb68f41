import type { WarrantyRecord } from '../records/index.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { recordOf } from './field-kinds/record.ts';

const f = fieldsOf<WarrantyRecord>();

/** An inverter in `inverter/shelfTime`. */
export const warrantyRecord = recordOf<WarrantyRecord>()('the warranty of an inverter', [
  f.id('id', (r) => r.id, 'id of the inverter'),
  f.text('sn', (r) => r.sn, 'serial number'),
  f.choiceText(
    'shelfState',
    (r) => r.state,
    { inWarranty: '0', over: '1', unknown: '--' },
    'state of the warranty',
  ),
  f.instant('shelfBeginTime', (r) => r.fromAt, 'start of the warranty'),
  f.instant('shelfEndTime', (r) => r.untilAt, 'end of the warranty'),
  f.number('deleteFlag', () => 0, 'always 0'),
]);
