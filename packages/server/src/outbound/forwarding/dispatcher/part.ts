import type { IdSource } from '../../../platform/kernel/ids.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { createBell, type Bell } from '../../../platform/work/bell.ts';
import type { Run } from '../../../platform/work/lane.ts';
import type { Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { Random } from '../../delivery/schedule.ts';
import { disableDestination, getDestination, listServable } from '../destinations/destinations.ts';
import { shardOf } from '../destinations/shards.ts';
import { listSnapshots } from '../snapshots/snapshots.ts';
import { serveSnapshot } from '../snapshots/send.ts';
import type { DestinationDelivery } from './delivery.ts';
import { putOff, saveChanges } from './progress.ts';
import { listReplays, serveReplay, type ReplayDeps } from './replaying.ts';
import { SecretsLost, serve, type Served, type ServingDeps } from './served.ts';

export interface PartDeps extends Omit<ServingDeps, 'random'> {
  readonly ids: IdSource;
  readonly telemetry: Pick<Telemetry, 'latestOf'>;
  readonly random?: Random;
  /** Aborted when the instance stops. */
  readonly closing: AbortSignal;
}

/** The part of the destinations that a run serves. */
export interface DestinationPart {
  readonly deps: Required<Pick<PartDeps, 'random'>> & PartDeps;
  readonly run: Run;
  /** Aborted when the run must end. */
  readonly signal: AbortSignal;
  readonly bell: Bell;
  readonly served: Map<string, Served>;
  /** Replays and snapshots that are being sent. */
  readonly underWay: Set<Promise<void>>;
  readonly switchedOff: Set<string>;
  /** Destinations that could not be tried, and when they are again. */
  readonly unservable: Map<string, Instant>;
  /** When something was done last, by `performance.now()`. */
  activeAt: number;
  /** Whether one of the destinations works. */
  isBusy(): boolean;
}

export function createPart(deps: PartDeps, run: Run): DestinationPart {
  const served = new Map<string, Served>();
  const underWay = new Set<Promise<void>>();
  return {
    deps: { ...deps, random: deps.random ?? Math.random },
    run,
    signal: AbortSignal.any([run.signal, deps.closing]),
    bell: createBell(),
    served,
    underWay,
    switchedOff: new Set(),
    unservable: new Map(),
    activeAt: performance.now(),
    isBusy: () =>
      underWay.size > 0 ||
      [...served.values()].some(
        ({ idleUntil, stop }) => idleUntil() === undefined && !stop.signal.aborted,
      ),
  };
}

/** Serves what is to be served, and lets go of what was changed, paused or removed. */
export async function lookAt(part: DestinationPart): Promise<void> {
  const { deps, run, served, unservable } = part;
  const { db, clock, telemetry } = deps;
  const servable = (await listServable(db)).filter(({ id }) => shardOf(id) === run.key);
  const current = new Map(servable.map((destination) => [destination.id, destination]));
  for (const [id, one] of served)
    if (current.get(id)?.revision !== one.destination.revision || one.stop.signal.aborted)
      await letGo(part, one);
  for (const { id } of servable)
    if (!served.has(id) && (unservable.get(id) ?? 0) <= clock.now()) await begin(part, id);
  for (const replay of await listReplays(db, [...served.keys()], clock.now()))
    sendBeside(part, replay.destinationId, replay.id, 'a replay', (given, delivery) =>
      serveReplay(given, delivery, replay),
    );
  for (const snapshot of await listSnapshots(db, [...served.keys()], clock.now()))
    sendBeside(part, snapshot.destinationId, 'snapshot', 'a snapshot', (given, delivery) =>
      serveSnapshot({ ...given, telemetry }, delivery, snapshot),
    );
}

async function begin(part: DestinationPart, id: string): Promise<void> {
  const { deps, run, signal, bell, served, unservable } = part;
  const { db, clock, logger, random } = deps;
  const onActive = (): void => {
    part.activeAt = performance.now();
  };
  unservable.delete(id);
  try {
    const destination = await getDestination(db, id, null);
    served.set(id, await serve(deps, { signal, bell, onActive }, destination));
  } catch (err) {
    // Its secrets cannot be opened, or it was removed just now. Others must not suffer from that.
    const until =
      err instanceof SecretsLost
        ? await run.transaction((trx) => putOff(trx, id, err.message, clock.now(), random))
        : Infinity;
    unservable.set(id, until);
    logger.warn({ err, destination: id }, 'a destination could not be served');
  }
}

/** Sends something beside the stream of a destination, unless that is being done, or nothing is to be sent there for now. */
function sendBeside(
  part: DestinationPart,
  destination: string,
  id: string,
  name: string,
  send: (deps: ReplayDeps, delivery: DestinationDelivery) => Promise<void>,
): void {
  const { deps, run, underWay, bell } = part;
  const { db, random, clock, logger } = deps;
  const one = part.served.get(destination)!;
  if (one.beside.has(id) || one.delivery.isHeld()) return;
  one.beside.add(id);
  part.activeAt = performance.now();
  const signal = AbortSignal.any([one.stop.signal, part.signal]);
  const given = { db, transaction: run.transaction, signal, random, now: () => clock.now() };
  const sent = send(given, one.delivery)
    .catch((err: unknown) => logger.warn({ err, destination }, `${name} could not go on`))
    .finally(() => {
      one.beside.delete(id);
      underWay.delete(sent);
      bell.ring();
    });
  underWay.add(sent);
}

async function letGo(part: DestinationPart, one: Served): Promise<void> {
  one.stop.abort();
  await one.ended;
  await savePart(part, [one], true);
  part.served.delete(one.destination.id);
}

/** Ends what is under way, and stores how far that came unless another run has the part by now. */
export async function letAllGo(part: DestinationPart): Promise<void> {
  const { run, served, underWay } = part;
  for (const { stop } of served.values()) stop.abort();
  await Promise.all([...underWay, ...[...served.values()].map(({ ended }) => ended)]);
  if (!run.signal.aborted) await savePart(part, served.values(), true);
}

/** Stores how far destinations are, all in one transaction: only while this run holds the lease. */
export async function savePart(
  { deps, run, switchedOff }: DestinationPart,
  some: Iterable<Served>,
  all: boolean,
): Promise<void> {
  const each = [...some];
  const changes = each.flatMap(({ delivery }) => delivery.takeChanges(all) ?? []);
  const disabled = each.filter(
    ({ delivery, destination }) =>
      delivery.disabledFor !== undefined && !switchedOff.has(destination.id),
  );
  if (disabled.length === 0 && changes.length === 0) return;
  const act = { actor: 'service', address: null, newId: deps.ids } as const;
  await run.transaction(async (trx) => {
    if (changes.length > 0) await saveChanges(trx, changes);
    for (const { destination, delivery } of disabled)
      await disableDestination(
        trx,
        { ...act, at: deps.clock.now() },
        destination,
        delivery.disabledFor!,
      );
  });
  for (const { destination } of disabled) switchedOff.add(destination.id);
}

/** When the part has to be looked at again, if nothing happens before. */
export async function nextDueAt({
  deps: { db },
  served,
  unservable,
}: DestinationPart): Promise<Instant | undefined> {
  const times = [...served.values()].flatMap((one) => one.idleUntil() ?? []);
  for (const at of unservable.values()) if (Number.isFinite(at)) times.push(at);
  for (const table of ['replay', 'snapshot'] as const)
    for (const { destinationId, at } of await nextOf(db, table, [...served.keys()]))
      // Nothing can be sent before the destination may be.
      times.push(Math.max(at, served.get(destinationId)!.delivery.heldUntil));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** When each destination's replays or snapshots go on. */
const nextOf = (db: Db, table: 'replay' | 'snapshot', destinationIds: readonly string[]) =>
  db
    .selectFrom(table)
    .select((eb) => ['destinationId', eb.fn.min('nextAt').as('at')])
    .where('endedAt', 'is', null)
    .where(anyOf(db, 'destinationId', listParameter(db, destinationIds)))
    .groupBy('destinationId')
    .execute();
