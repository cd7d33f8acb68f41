import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchProgram, run } from '../../support/machine/java-programs.ts';

const ROCKETMQ = {
  name: 'rocketmq',
  group: 'org.apache.rocketmq',
  artifacts: ['rocketmq-namesrv', 'rocketmq-proxy', 'rocketmq-tools'],
  version: '5.5.0',
};

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
  try {
    const folder = await fetchProgram(ROCKETMQ, (target, work) => {
      writeFileSync(join(work, 'Patch.java'), LOOPBACK_PATCH);
      return run(
        'java',
        ['-cp', `${join(target, 'jars')}/*`, join(work, 'Patch.java'), join(target, 'patch')],
        { timeout: 60_000 },
      );
    });
    return `${join(folder, 'patch')}:${join(folder, 'jars')}/*`;
  } catch {
    console.log(
      'skipped: the RocketMQ sink at a real RocketMQ (a JDK, Maven or the network is missing)',
    );
    return undefined;
  }
}
