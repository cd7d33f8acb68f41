import {
  chmodSync,
  chownSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import {
  listBrokerUsers,
  mosquittoAccess,
  mosquittoPasswords,
} from '../../../fleet/collectors/broker-access.ts';
import { makeFolder } from '../../../platform/kernel/files/make-folder.ts';
import type { RegisterCommand } from '../context.ts';
import { unfinished } from './backup/backup-files.ts';
import { CliCommandFault } from './faults.ts';

/** `helioport mqtt access`: writes the files that an external broker needs. */
export const registerMqtt: RegisterCommand = (program, context) => {
  program
    .command('mqtt')
    .description('manage an external MQTT broker')
    .command('access')
    .description('write Mosquitto’s password file and access list: the files `passwords` and `acl`')
    .argument('<folder>', 'folder to write them to')
    .action(async (name: string) => {
      const { mqttUrl } = context.config();
      const { username, password } = new URL(mqttUrl ?? 'mqtt://');
      if (username === '' || password === '')
        throw new CliCommandFault(
          'set HELIOPORT_MQTT_URL to the address of the broker, including the user name and password of the server',
        );
      const server = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
      const users = await listBrokerUsers((await context.storage()).db, context.clock.now());
      const folder = context.path(name);
      makeFolder(folder);
      write(join(folder, 'passwords'), mosquittoPasswords(server, users));
      write(join(folder, 'acl'), mosquittoAccess(server, users));
      const known = users.filter(({ brokerHash }) => brokerHash !== null);
      const unknown = users.filter(({ brokerHash }) => brokerHash === null).map(({ sn }) => sn);
      for (const sn of unknown)
        context.note(
          `the broker cannot check an old token of ${sn}: issue a new one with helioport collector rotate ${sn}`,
        );
      context.print(
        { folder, users: known.length, unknown },
        `${known.length} ${known.length === 1 ? 'user' : 'users'} written to ${folder}; make the broker read the files again`,
      );
    });
};

/**
 * Replaces a file atomically, since the broker may read it at any time. The new one has the mode and the owner of the one before, so that the broker, which
 * runs as another user, can still read it.
 */
function write(file: string, text: string): void {
  const before = statSync(file, { throwIfNoEntry: false });
  const beside = unfinished(file);
  try {
    // What an interrupted run has left may have another owner.
    rmSync(beside, { force: true });
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    if (before) takeAfter(beside, before);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Gives a file the owner first: a change of it takes away some bits of the mode. */
function takeAfter(file: string, { uid, gid, mode }: Stats): void {
  const own = statSync(file);
  if (own.uid !== uid || own.gid !== gid) {
    try {
      chownSync(file, uid, gid);
    } catch (error) {
      throw new CliCommandFault(
        `the owner of ${file} cannot be set to that of the file it replaces: run this as root, or as that user (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
  chmodSync(file, mode & 0o7777);
}
