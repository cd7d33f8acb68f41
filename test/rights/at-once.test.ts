import { expect, test } from 'vitest';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const ROUNDS = 12;

describeEngines('two who decide about the same thing at once', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const isDone = (asked: Promise<unknown>): Promise<boolean> =>
    asked.then(
      () => true,
      () => false,
    );

  const scene = async (kind: 'share' | 'owner') => {
    const [owner, guest] = [await fleet.person(), await fleet.person()];
    const plantId = await fleet.plant(owner.id);
    const body = { plantId, email: guest.email };
    const operation = kind === 'share' ? 'share/give' : 'plant/offer';
    const { invitationId: id } = await fleet.wire(operation, userCaller(owner.id), body);
    return { owner: userCaller(owner.id), guest: userCaller(guest.id), plantId, id };
  };
  const levelOf = async (plantId: string, { accountId }: { accountId: string }) =>
    (
      await database()
        .db.selectFrom('plantAccess')
        .select('level')
        .where('plantId', '=', plantId)
        .where('accountId', '=', accountId)
        .executeTakeFirst()
    )?.level;

  test.each(['share', 'owner'] as const)(
    'an invitation (%s) is withdrawn or accepted, never both, no matter who comes first',
    async (kind) => {
      const scenes = await Promise.all(Array.from({ length: ROUNDS }, () => scene(kind)));
      await Promise.all(
        scenes.map(async ({ owner, guest, plantId, id }, i) => {
          const withdraw = () => isDone(fleet.wire('invitation/withdraw', owner, { id }));
          const accept = () => isDone(fleet.wire('invitation/accept', guest, { id }));
          const inOrder = i % 2 === 0 ? [withdraw, accept] : [accept, withdraw];
          const [first, second] = await Promise.all(inOrder.map((one) => one()));
          const [withdrawn, accepted] = i % 2 === 0 ? [first, second] : [second, first];
          expect(withdrawn).toBe(!accepted);
          const level = await levelOf(plantId, guest);
          expect(level).toBe(accepted ? (kind === 'share' ? 'read' : 'owner') : undefined);
        }),
      );
    },
  );

  test('a plant is archived by who owns it, never by who has just sold it', async () => {
    const scenes = await Promise.all(Array.from({ length: ROUNDS }, () => scene('owner')));
    await Promise.all(
      scenes.map(async ({ owner, guest, plantId, id }) => {
        const [archived, accepted] = await Promise.all([
          isDone(fleet.wire('archiveStation', owner, { id: plantId })),
          isDone(fleet.wire('invitation/accept', guest, { id })),
        ]);
        expect([archived, accepted]).toContain(true);
        expect(archived && accepted).toBe(false);
      }),
    );
  });

  test('many who accept, decline and withdraw one invitation decide it once', async () => {
    const { owner, guest, id } = await scene('share');
    const done = await Promise.all(
      Array.from({ length: ROUNDS }, (_, i) =>
        isDone(
          [
            () => fleet.wire('invitation/accept', guest, { id }),
            () => fleet.wire('invitation/decline', guest, { id }),
            () => fleet.wire('invitation/withdraw', owner, { id }),
          ][i % 3]!(),
        ),
      ),
    );
    expect(done.filter((one) => one)).toHaveLength(1);
  });
});
