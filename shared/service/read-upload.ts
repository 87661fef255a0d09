import { mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from 'koa';
import { mkdirSync } from 'node:fs';
import { DiskFullError, ServiceError } from '@parley/shared/contracts';

/** A file that came as the field `file` of a multipart body. */
export interface Upload {
  /** Where it lies; its name is ours, never the sender's. */
  readonly path: string;
  readonly size: number;
  remove(): Promise<void>;
}

const wrongFields = (): ServiceError =>
  new ServiceError('VALIDATION_ERROR', 'Send exactly one file, in the field named file.', {
    details: { issues: [{ path: 'file', message: 'Exactly one file is needed.' }] },
  });

/**
 * Takes in a multipart body into a folder of its own inside the data folder. The folder goes with `remove`, whatever
 * koa-body leaves behind in it.
 * @throws ServiceError PAYLOAD_TOO_LARGE or VALIDATION_ERROR; DiskFullError.
 */
export async function readUpload(ctx: Context, dataDir: string, limit: number): Promise<Upload> {
  const tooLarge = (): ServiceError =>
    new ServiceError('PAYLOAD_TOO_LARGE', `The upload is larger than the ${limit / 1e6} MB that are allowed.`, {
      headers: { Connection: 'close' },
    });
  // The frame around the file (boundaries, part headers) is not the file: 64 KiB are its allowance.
  if (Number(ctx.req.headers['content-length'] ?? 0) > limit + 65_536) throw tooLarge();
  const parent = path.join(dataDir, 'uploads');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(parent, 'upload-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  // Loaded by the first upload: most processes never take one in, and it costs every start its time and memory.
  const { koaBody, HttpMethodEnum } = await import('koa-body');
  try {
    await koaBody({
      multipart: true,
      json: false,
      text: false,
      urlencoded: false,
      parsedMethods: [HttpMethodEnum.POST],
      formidable: {
        uploadDir: folder,
        keepExtensions: false,
        maxFiles: 1,
        maxFields: 0,
        maxFieldsSize: 1024,
        maxFileSize: limit,
        maxTotalFileSize: limit,
        allowEmptyFiles: true,
        minFileSize: 0,
        filename: () => 'upload',
      },
      onError: (error) => {
        throw error;
      },
    })(ctx, async () => {});
  } catch (error) {
    await remove();
    const code = (error as { code?: number; httpCode?: number }).code;
    // formidable: 1009 biggerThanMaxFileSize, 1016 biggerThanTotalMaxFileSize.
    if (code === 1009 || code === 1016 || (error as { httpCode?: number }).httpCode === 413) throw tooLarge();
    throw DiskFullError.of(error) ?? wrongFields();
  }
  const files = Object.entries(ctx.request.files ?? {});
  const [name, file] = files[0] ?? [];
  if (files.length !== 1 || name !== 'file' || file === undefined || Array.isArray(file)) {
    await remove();
    throw wrongFields();
  }
  // A write that fails at the very end does not always reach formidable: a file that is short has found no room.
  if ((await stat(file.filepath)).size !== file.size) {
    await remove();
    throw new DiskFullError();
  }
  return { path: file.filepath, size: file.size, remove };
}
