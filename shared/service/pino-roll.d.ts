declare module 'pino-roll' {
  import type { SonicBoom, SonicBoomOpts } from 'sonic-boom';

  interface RollingFileOptions extends Omit<SonicBoomOpts, 'dest' | 'fd'> {
    file: string;
    extension?: string;
    size?: string | number;
    limit?: { count: number; removeOtherLogFiles?: boolean };
  }
  export default function buildRollingFile(options: RollingFileOptions): Promise<SonicBoom>;
}
