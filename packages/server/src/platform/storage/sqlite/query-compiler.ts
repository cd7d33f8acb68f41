import { SqliteQueryCompiler, ValueNode, type LimitNode } from 'kysely';

/**
 * Writes limits as expressions: `limit 0 + ?`. SQLite makes its plan for the value of a plain `limit ?`, so it compiles the statement again each time
 * one is bound, which takes longer than reading a page of a list.
 */
export class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append(ValueNode.is(limit) && !limit.immediate ? 'limit 0 + ' : 'limit ');
    this.visitNode(limit);
  }
}
