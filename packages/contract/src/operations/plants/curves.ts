import { examplePlant } from '../../examples.ts';
import { an, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { listInput } from '../../scalars.ts';
import { FEW_PLANTS } from './overview.ts';

/** The power of a plant in the last 24 hours. */
export interface RecentCurve {
  readonly id: string;
  /** Beginning of the first step: whole quarters of an hour, the same for all plants of an answer. */
  readonly startAt: number;
  /** AC power in each quarter of an hour, W; null where nothing was measured. */
  readonly powerW: readonly (number | null)[];
}

export const plantCurves = defineOperation({
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  id: 'plant/curves',
  summary:
    'Returns the power of plants in the last 24 hours, in steps of 15 minutes, for small charts.',
  description:
    'Plants that the caller cannot see are left out. If the plants have many devices together, so are those with the most.',
  request: { plantIds: required(meaning('the plants', listInput(FEW_PLANTS, 'plantIds'))) },
  response: ownRecords<RecentCurve>('a plant’s curve', {
    id: an.text('id of the plant'),
    startAt: an.instant('beginning of the first step'),
    powerW: {
      type: 'array',
      items: { type: ['number', 'null'] },
      description: 'AC power in each step, W; null where nothing was measured',
    },
  }),
  errors: ['invalidValue', 'missingParameter'],
  example: {
    request: { plantIds: examplePlant.id },
    data: [{ id: examplePlant.id, startAt: 1_699_999_200_000, powerW: [null, 0, 310, 1240, 4210] }],
  },
});
