/// Replaced by the command table.
int main() { return 0; }
