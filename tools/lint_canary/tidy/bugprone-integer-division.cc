// Fires bugprone-integer-division: result of integer division
double Ratio(int ours, int theirs) { return ours / theirs; }
