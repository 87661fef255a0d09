import type { IncomingMessage } from 'node:http';
import { callRoute } from '@parley/shared/client';
import { GATEWAY_ROUTES, RuntimeUnavailableError, ServiceError } from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import {
  countActiveSessions,
  deleteRecap,
  deleteRecaps,
  retryWithoutBallast,
  listPackVersions,
  listRecaps,
} from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { takeAnnouncement } from '../debrief/take-announcement';
import { checkSafety } from '../system/check-safety';
import { bundle, diagnostics } from '../system/diagnostics';
import { tryRuntime } from '../system/try-runtime';
import { ServedDocuments } from '../system/served-documents';
import { withoutAddresses } from '../system/without-addresses';
import { requireTalk } from '../sessions/session-view';
import { activeModel } from '../turn/runtime-model-info';

/** The guard has let it through: it is an address of this process. */
const hostOf = (request: IncomingMessage): string => (request.headers.host ?? '').toLowerCase();

/** Handlers of settings, health, models, privacy, diagnostics, documents and the calls between processes. */
export function systemRoutes(context: SessionApiContext): Handlers {
  const { database } = context;
  const { peers, peer_timeout_ms: timeoutMs } = context.config.base;
  const gateway = peers.runtime_gateway;
  const documents = new ServedDocuments(context.config.schemas_dir);
  return {
    getSettings: async () => ({ body: { settings: await context.settings.current() } }),
    patchSettings: async ({ body }) => ({ body: { settings: await context.settings.change(body) } }),
    getHealth: async (_input, { isLoopback }) => {
      const health = await context.health.health(await context.settings.current());
      return { body: isLoopback ? health : { ...health, runtime: withoutAddresses(health.runtime) } };
    },
    listModels: async (_input, { requestId }) => {
      try {
        const [info, health, models] = await Promise.all([
          callRoute(gateway, GATEWAY_ROUTES.getRuntime, {}, { requestId, timeoutMs }),
          callRoute(gateway, GATEWAY_ROUTES.getRuntimeHealth, {}, { requestId, timeoutMs }),
          callRoute(gateway, GATEWAY_ROUTES.listRuntimeModels, {}, { requestId, timeoutMs }),
        ]);
        const active = health.model_id ?? activeModel(health, models)?.id ?? null;
        return { body: { runtime_id: info.id, active_model_id: active, models: models.models } };
      } catch (cause) {
        if (cause instanceof ServiceError && cause.code !== 'SERVICE_UNAVAILABLE')
          throw new ServiceError('RUNTIME_UNAVAILABLE', cause.message, {
            ...(cause.details === undefined ? {} : { details: cause.details }),
            cause,
          });
        throw new RuntimeUnavailableError(
          'The model runtime cannot be reached. Check the model server, then try again.',
          'gateway_unreachable',
          { cause },
        );
      }
    },
    getRuntimeChoice: async (_input, { requestId }) => ({ body: await context.choices.state(requestId) }),
    putRuntimeChoice: async ({ body }, { requestId }) => ({ body: await context.choices.change(body, requestId) }),
    tryRuntime: async (_input, { requestId, signal }) => ({
      body: await tryRuntime({ gateway, requestId, signal, quietMs: context.config.turn_quiet_seconds * 1000 }),
    }),
    checkSafety: async ({ body }, { requestId }) => ({ body: await checkSafety(context, body, requestId) }),
    listRecaps: async () => ({ body: { recaps: await listRecaps(database) } }),
    deleteRecap: async ({ params }) => {
      if (
        !(await retryWithoutBallast(context.database, () =>
          database.write((transaction) => deleteRecap(transaction, params.npc_id, params.pack_id)),
        ))
      )
        throw new ServiceError('RECAP_NOT_FOUND', 'There is no such recap; list them to see what there is.');
      return { status: 204 };
    },
    deleteRecaps: async () => ({
      body: { deleted: await retryWithoutBallast(context.database, () => database.write(deleteRecaps)) },
    }),
    getDiagnostics: async () => ({ body: await diagnostics(context) }),
    getDiagnosticsBundle: async () => ({
      content: await bundle(context),
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': 'attachment; filename="parley-diagnostics.zip"',
      },
    }),
    getVoice: () => ({ body: { available: false, status: 'reserved' } }),
    getOpenapi: async (_input, { raw }) => ({ body: await documents.openApi(hostOf(raw)) }),
    getAsyncapi: async (_input, { raw }) => ({ body: await documents.asyncApi(hostOf(raw)) }),
    getDocs: async (_input, { raw }) => {
      const page = await documents.page(hostOf(raw));
      return {
        content: page.html,
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': page.contentSecurityPolicy,
        },
      };
    },
    listPackVersions: async ({ params }) => ({ body: { versions: await listPackVersions(database, params.pack_id) } }),
    countPackSessions: async ({ params }) => ({
      body: { active_sessions: await countActiveSessions(database, params.pack_id) },
    }),
    getSessionMemory: async ({ params }) => {
      await requireTalk(context, params.id);
      const memory = context.unsaved.memoryOf(params.id);
      return { body: { turns: memory?.turns ?? null, notes: memory?.notes ?? null } };
    },
    announceDebrief: async ({ params, body }) => {
      await takeAnnouncement(context, params.id, body.private_debrief);
      return { status: 204 };
    },
  };
}
