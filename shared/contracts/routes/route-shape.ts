import { z } from 'zod';
import { PackId, ScenarioId, SessionId } from '../primitives';
import type { ErrorCode } from '../errors';

/** The processes of the set. Names as `details.service` and the health answer say them. */
export const SERVICES = ['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker', 'ui'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface ResponseShape {
  readonly description: string;
  /** Absent: no body, or a body that is not JSON (see contentType). */
  readonly schema?: z.ZodType;
  /** Default application/json. */
  readonly contentType?: string;
  /** Media types of other forms of the same answer, whose bodies have no schema. */
  readonly otherTypes?: readonly string[];
  /** Response headers worth naming, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteShape {
  readonly operation: string;
  /** Who answers. */
  readonly service: ServiceName;
  /** session_api passes the call on to `service`, at `ownerPath` when it differs. */
  readonly via?: 'session_api';
  readonly ownerPath?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI style: `/api/sessions/{id}`. */
  readonly path: string;
  /** Name of the last parameter when it takes the rest of the path, slashes included. */
  readonly wildcard?: string;
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  /** More, for whoever reads the documents: what it changes, and what to do before and after. */
  readonly description?: string;
  /** player: also for callers on the LAN. local: loopback only. internal: loopback, and no browser. */
  readonly audience: 'player' | 'local' | 'internal';
  /** none: no body is looked at. empty: absent, empty or {}. json_or_multipart: JSON, or a file in the field `file`. */
  readonly bodyKind: 'none' | 'empty' | 'json' | 'json_or_multipart';
  /** Upper bound of a JSON body in bytes; 64 KiB unless told. */
  readonly bodyLimit?: number;
  /**
   * How many times as long as a read (10 s unless configured) another process may take over it, or be silent over it where
   * the call is passed on; 1 unless told.
   */
  readonly patience?: number;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, ResponseShape>>;
  readonly errors: readonly ErrorCode[];
  /** The answer carries an ETag, browsers may keep it, and a caller that holds the same gets 304. Never about a session. */
  readonly hasEntityTag?: true;
}

/** JSON bodies above this many bytes are 413. */
export const JSON_BODY_LIMIT = 64 * 1024;
export const CHAT_BODY_LIMIT = 1024 * 1024;
export const UPLOAD_LIMIT = 500 * 1000 * 1000;

/** Keeps the literal types of a row. */
export const route = <const R extends RouteShape>(shape: R): R => shape;
/** The usual answer: 200 with this body. */
export const ok = <S extends z.ZodType>(schema: S, description: string) => ({ 200: { description, schema } }) as const;

export const sessionParams = z.object({ id: SessionId });
/** A turn named in the path. Text that is no number is the path of nothing: the handler answers as for a wrong turn. */
export const momentParams = z.object({
  id: SessionId,
  turn: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, "must be the number of one of the player's turns")
    .transform(Number)
    .meta({
      description: "Index of one of the player's turns.",
      parameter: { type: 'integer', minimum: 1, maximum: 9999 },
    }),
});
/** A turn of the character named in the path. */
export const turnParams = z.object({
  id: SessionId,
  index: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, "must be the number of one of the character's turns")
    .transform(Number)
    .meta({
      description: "Index of one of the character's turns.",
      parameter: { type: 'integer', minimum: 1, maximum: 9999 },
    }),
});
export const packParams = z.object({ pack_id: PackId });
export const scenarioParams = z.object({ id: ScenarioId });

export const SESSIONS = { service: 'session_api', tag: 'Sessions' } as const;
export const PACKS = { service: 'pack_service', via: 'session_api', tag: 'Packs and scenarios' } as const;
export const GATEWAY = { service: 'runtime_gateway', tag: 'Runtime gateway' } as const;
export const MODELS = { service: 'runtime_gateway', via: 'session_api', tag: 'Models' } as const;
export const SIDECAR = { service: 'runtime_gateway', via: 'session_api', tag: 'Sidecar' } as const;
export const SYSTEM = { service: 'session_api', tag: 'System' } as const;
