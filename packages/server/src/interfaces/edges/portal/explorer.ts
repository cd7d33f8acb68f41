import {
  families,
  hasDoor,
  signedPath,
  type ExplorerOperation,
  type JsonSchema,
} from '@helioport/contract';
import { VERSION } from '../../../platform/kernel/version.ts';
import type { AnyOperation } from '../http/mount.ts';
import type { PortalDeps } from './deps.ts';

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody?: {
            readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
          };
        };
      }
    >
  >;
}

/** The operations of signed requests that the portal offers too, with the schemas of the OpenAPI document. GET /portal/operations. */
export async function explorerOperations({
  operations,
  userApiUrl,
}: Pick<PortalDeps, 'operations' | 'userApiUrl'>): Promise<ExplorerOperation[]> {
  const { userOpenApi } = await import('@helioport/contract/openapi');
  const { paths } = userOpenApi({
    operations,
    url: userApiUrl,
    version: VERSION,
  }) as unknown as Described;
  return operations
    .filter((operation) => hasDoor(operation, 'signed') && hasDoor(operation, 'portal'))
    .map((operation) => shown(operation, paths));
}

function shown(operation: AnyOperation, paths: Described['paths']): ExplorerOperation {
  const { id, family, summary, description, write } = operation;
  const path = signedPath(operation);
  const request = paths[path]!.post.requestBody?.content['application/json']?.schema ?? {
    type: 'object',
  };
  return {
    id,
    path,
    family,
    familyTitle: families[family].title,
    summary,
    ...(description !== undefined && { description }),
    write,
    request,
  };
}
