import { readConfig } from './config';

describe('SIM_ALLOWED_ORIGINS', () => {
  const read = (value?: string) => readConfig({ SIM_ALLOWED_ORIGINS: value }).allowed_origins;

  it('names nobody when it is not set', () => {
    for (const value of [undefined, '', '  ']) expect(read(value)).toEqual([]);
  });

  it('takes exact origins separated by commas, those of apps and extensions too', () => {
    expect(read('https://practice.example, http://127.0.0.1:8080,http://[::1]:3000')).toEqual([
      'https://practice.example',
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
    ]);
    expect(read('tauri://localhost,chrome-extension://abcdefghijklmnop')).toHaveLength(2);
  });

  it.each([
    '*',
    'null',
    'practice.example',
    'https://practice.example/',
    'https://practice.example/page',
    'https://*.practice.example',
    'https://practice.example:443',
    'http://practice.example:80',
    'HTTPS://practice.example',
    'https://Practice.example',
    'https://user@practice.example',
    'https://practice.example?a=1',
    'https://practice.example:70000',
    'https://practice.example,',
    'https://one.example https://two.example',
    'https:practice.example',
    'file://',
    'javascript:alert(1)',
  ])('is refused in one line as %s', (value) => {
    let message = '';
    try {
      read(value);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^SIM_ALLOWED_ORIGINS=.* cannot be used: .*https:\/\/practice\.example[^\n]*$/);
    expect(message).toContain(JSON.stringify(value));
  });
});
