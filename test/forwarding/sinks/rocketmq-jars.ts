import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const VERSION = '5.5.0';

const project = (artifacts: readonly string[]): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>local.test</groupId><artifactId>rocketmq</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>${artifacts
    .map((name) => `<dependency><groupId>org.apache.rocketmq</groupId><artifactId>${name}</artifactId><version>${VERSION}</version></dependency>`)
    .join('')}</dependencies>
</project>`;

/** RocketMQ's gRPC, HA and remoting ports bind all interfaces, and there is no setting for it: three classes are rewritten to bind loopback. */
const LOOPBACK_PATCH = `
import javassist.*; import javassist.expr.*;
public class Patch {
  static final String LOOPBACK = "new java.net.InetSocketAddress(\\"127.0.0.1\\", $1)";
  public static void main(String[] arguments) throws Exception {
    ClassPool pool = ClassPool.getDefault(); pool.appendClassPath(new ClassClassPath(ClassPool.class)); int[] places = {0};
    CtClass grpc = pool.get("org.apache.rocketmq.proxy.grpc.GrpcServerBuilder");
    grpc.instrument(new ExprEditor() { public void edit(MethodCall call) throws CannotCompileException {
      if (call.getMethodName().equals("forPort")) { places[0]++;
        call.replace("$_ = io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder.forAddress(" + LOOPBACK + ");"); } } });
    grpc.writeFile(arguments[0]);
    CtClass ha = pool.get("org.apache.rocketmq.store.ha.DefaultHAService$AcceptSocketService");
    ha.instrument(new ExprEditor() { public void edit(NewExpr made) throws CannotCompileException {
      if (made.getClassName().equals("java.net.InetSocketAddress")) { places[0]++; made.replace("$_ = " + LOOPBACK + ";"); } } });
    ha.writeFile(arguments[0]);
    CtClass remoting = pool.get("org.apache.rocketmq.remoting.netty.NettyServerConfig");
    for (CtConstructor constructor : remoting.getConstructors()) { places[0]++; constructor.insertAfter("this.bindAddress = \\"127.0.0.1\\";"); }
    remoting.writeFile(arguments[0]);
    if (places[0] < 3) System.exit(1);
  }
}`;

/** The class path of a RocketMQ that binds loopback alone; fetched once, into a folder of the user's caches. Undefined, with a word about it, where it cannot be had. */
export async function findRocketMq(): Promise<string | undefined> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'helioport', `rocketmq-${VERSION}`);
  const classPath = `${join(cache, 'patch')}:${join(cache, 'jars')}/*`;
  if (existsSync(join(cache, 'ready'))) return classPath;
  const work = mkdtempSync(join(tmpdir(), 'helioport-rocketmq-jars-'));
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(work, 'pom.xml'), project(['rocketmq-namesrv', 'rocketmq-proxy', 'rocketmq-tools']));
    const fetching = [
      '-q',
      '-B',
      '-f',
      join(work, 'pom.xml'),
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(cache, 'jars')}`,
    ];
    await run('mvn', fetching, { timeout: 240_000 });
    writeFileSync(join(work, 'Patch.java'), LOOPBACK_PATCH);
    await run('java', ['-cp', `${join(cache, 'jars')}/*`, join(work, 'Patch.java'), join(cache, 'patch')], { timeout: 60_000 });
    writeFileSync(join(cache, 'ready'), '');
    return classPath;
  } catch {
    console.log('skipped: the RocketMQ sink at a real RocketMQ (a JDK, Maven or the network is missing)');
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
