declare module 'llama3-tokenizer-js/bundle/commonjs-llama3-tokenizer-with-baked-data.cjs' {
  export const llama3Tokenizer: { encode(text: string, options?: { bos?: boolean; eos?: boolean }): number[] };
}
