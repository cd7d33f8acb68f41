import type { OperationId } from '@helioport/contract';
import { minimal } from '../management/fixture.ts';

/** How somebody came to a plant by a company or as an installer, and how that ended. */
export const relations = [
  'member',
  'left',
  'dissolved',
  'companyEnded',
  'installer',
  'installerEnded',
  'mayInstall',
  'mayInstallEnded',
  'sold',
  'soldWithInstaller',
  'soldWithColleague',
] as const;
export type Relation = (typeof relations)[number];

export const isRelation = (change: string | undefined): change is Relation =>
  relations.some((one) => one === change);

/** A plant, its owner, and somebody else. */
export interface Related {
  readonly owner: string;
  readonly other: string;
  readonly otherEmail: string;
  readonly plantId: string;
}

export interface RelationDeps {
  as(accountId: string, id: OperationId, body?: Record<string, unknown>): Promise<any>;
  person(): Promise<{ readonly id: string; readonly email: string }>;
}

/** Brings each relation about, as people do it themselves. Where it ends, `before` is called while it lasts. */
export function createRelations({
  as,
  person,
}: RelationDeps): Readonly<
  Record<Relation, (scene: Related, before?: () => Promise<void>) => Promise<void>>
> {
  const found = (by: string): Promise<unknown> => as(by, 'company/found', { name: 'Sun & Sons' });
  const join = async (manager: string, email: string, accountId: string): Promise<void> => {
    const { invitationId: id } = await as(manager, 'company/invite', { email });
    await as(accountId, 'company/accept', { id });
  };
  const install = async (
    { owner, other, otherEmail, plantId }: Related,
    forCompany: boolean,
  ): Promise<void> => {
    await as(owner, 'stationUpdate', { ...minimal, id: plantId, installerEmail: otherEmail });
    const [{ id }] = (await as(other, 'invitation/list')).records;
    await as(other, 'invitation/accept', { id, ...(forCompany && { forCompany: 1 }) });
  };
  const letInstall = async ({ owner, other, otherEmail, plantId }: Related): Promise<void> => {
    const given = { plantId, email: otherEmail, level: 'install' };
    const { invitationId: id } = await as(owner, 'share/give', given);
    await as(other, 'invitation/accept', { id });
  };
  const sell = async ({ owner, plantId }: Related): Promise<void> => {
    const buyer = await person();
    const offer = await as(owner, 'plant/offer', { plantId, email: buyer.email });
    await as(buyer.id, 'invitation/accept', { id: offer.invitationId, withoutSender: 1 });
  };
  const enter = async ({ owner, other, otherEmail, plantId }: Related): Promise<string> => {
    const boss = await person();
    await found(boss.id);
    await join(boss.id, otherEmail, other);
    const given = { plantId, email: boss.email, level: 'control' };
    const { invitationId: id } = await as(owner, 'share/give', given);
    await as(boss.id, 'invitation/accept', { id, forCompany: 1 });
    return boss.id;
  };
  const nothing = async (): Promise<void> => {};

  return {
    async member(scene, before = nothing) {
      await enter(scene);
      await before();
    },
    async left(scene, before = nothing) {
      await enter(scene);
      await before();
      await as(scene.other, 'company/remove', { email: scene.otherEmail });
    },
    async dissolved(scene, before = nothing) {
      const boss = await enter(scene);
      await before();
      await as(boss, 'company/dissolve');
    },
    async companyEnded(scene, before = nothing) {
      await enter(scene);
      await before();
      const { id: companyId } = await as(scene.other, 'company/show');
      await as(scene.owner, 'company/end', { plantId: scene.plantId, companyId });
    },
    async installer(scene, before = nothing) {
      await install(scene, false);
      await before();
    },
    async installerEnded(scene, before = nothing) {
      await install(scene, false);
      await before();
      const { plantId, otherEmail: email } = scene;
      await as(scene.owner, 'share/withdraw', { plantId, email });
    },
    async mayInstall(scene, before = nothing) {
      await letInstall(scene);
      await before();
    },
    async mayInstallEnded(scene, before = nothing) {
      await letInstall(scene);
      await before();
      const { plantId, otherEmail: email } = scene;
      await as(scene.owner, 'share/withdraw', { plantId, email });
    },
    async sold(scene, before = nothing) {
      await before();
      await sell(scene);
    },
    async soldWithInstaller(scene, before = nothing) {
      await install(scene, false);
      await before();
      await sell(scene);
    },
    async soldWithColleague(scene, before = nothing) {
      await found(scene.owner);
      await join(scene.owner, scene.otherEmail, scene.other);
      await install(scene, true);
      await before();
      await sell(scene);
    },
  };
}
