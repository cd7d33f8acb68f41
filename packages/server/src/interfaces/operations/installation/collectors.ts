import { getAccountByEmail } from '../../../identity/accounts/accounts.ts';
import {
  addCollector,
  getCollector,
  lastReportOf,
  listCollectors,
} from '../../../fleet/collectors/collectors.ts';
import { listCollectorRefusals } from '../../../fleet/collectors/refusals.ts';
import { listTokens, revokeTokens, rotateToken } from '../../../fleet/collectors/tokens.ts';
import { listDevices } from '../../../fleet/devices/devices.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { operators } from '../rights/accounts.ts';

type CollectorOperation = `collector/${'list' | 'show' | 'add' | 'rotate' | 'revoke'}`;

const REFUSALS_SHOWN = 50;

/** Collectors of the whole installation and their tokens, for the operator. */
export function createInstallationCollectors(
  deps: OperationDependencies,
): HandlersOf<CollectorOperation> {
  const { db, clock } = deps;
  return {
    'collector/list': (_caller, { plantId }) => listCollectors(db, plantId),

    async 'collector/show'(_caller, { sn: named }) {
      const { id, sn, model, plantId, clockOffsetSeconds } = await getCollector(db, named);
      const tokens = await listTokens(db, id, clock.now());
      const lastReportAt = await lastReportOf(db, id);
      const devices = (await listDevices(db, { collectorId: id })).map((device) => device.sn);
      return {
        id,
        sn,
        model,
        plantId,
        lastReportAt,
        clockOffsetSeconds,
        tokens,
        devices,
        refusals: await listCollectorRefusals(db, id, REFUSALS_SHOWN),
      };
    },

    'collector/add': async (caller, { sn, plantId, owner, model }, once) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const accountId =
          owner === undefined ? undefined : (await getAccountByEmail(trx, owner)).id;
        const { id, tokenId, token } = await addCollector(trx, act, {
          sn,
          model,
          plantId,
          accountId,
        });
        return { id, sn, tokenId, token };
      }),

    'collector/rotate': async (caller, { sn, overlapSeconds = 0 }, once) =>
      change(deps, caller, once, operators, async (trx, act) =>
        rotateToken(trx, act, await getCollector(trx, sn), overlapSeconds * 1000),
      ),

    'collector/revoke': async (caller, { sn }, once) =>
      change(deps, caller, once, operators, async (trx, act) => ({
        revoked: await revokeTokens(trx, act, await getCollector(trx, sn)),
      })),
  };
}
